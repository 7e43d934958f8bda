# want: AC
# calls: userfaultfd 323 0
