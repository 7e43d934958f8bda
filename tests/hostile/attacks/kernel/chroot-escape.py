# want: AC
# calls: chroot 161
# calls: pivot_root 155
# calls: mount 165
