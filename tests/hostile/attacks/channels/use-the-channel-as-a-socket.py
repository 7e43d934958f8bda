# want: AC
# calls: connect 42 3
# calls: bind 49 3
# calls: listen 50 3
# calls: accept4 288 3
# calls: setsockopt 54 3 1 16
# calls: getsockopt-peer 55 3 1 17
# calls: getpeername 52 3
# calls: shutdown 48 3 2
# calls: sendto 44 3
