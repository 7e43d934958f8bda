# want: AC
# calls: clone-newns 56 131089
# calls: clone-newuser 56 268435473
# calls: clone-thread-in-new-userns 56 268501760
# calls: clone-thread-untraced 56 8851200
