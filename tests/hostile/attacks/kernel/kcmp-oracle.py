# want: AC
# calls: kcmp 312 1 1
