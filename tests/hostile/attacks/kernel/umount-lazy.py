# want: AC
# calls: umount2 166 0 2
