# want: AC
# calls: udp 41 2 2
# calls: tcp6 41 10 1
# calls: raw 41 2 3
# calls: mptcp 41 2 1 262
# calls: sctp 41 2 1 132
