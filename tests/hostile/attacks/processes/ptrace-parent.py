# want: AC
# calls: ptrace-attach 101 16 1
# calls: ptrace-seize 101 16902 1
# calls: ptrace-me 101 0
