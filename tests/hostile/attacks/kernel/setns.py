# want: AC
# calls: setns 308 3 0
# calls: setns-user 308 0 268435456
