# want: AC
# calls: sendmsg 46 3
# calls: sendmmsg 307 3
