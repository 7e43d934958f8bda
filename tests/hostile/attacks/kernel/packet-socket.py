# want: AC
# calls: packet 41 17 3
# calls: netlink 41 16 3
# calls: alg 41 38 5
# calls: vsock 41 40 1
# calls: bluetooth 41 31 3
# calls: xdp 41 44 3
# calls: socketpair 53 1 1
