# want: AC
# calls: fork 57
# calls: vfork 58
# calls: clone 56 17
# calls: clone-with-vm-only 56 273
# calls: clone3 435
