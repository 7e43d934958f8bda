# want: AC
# calls: mlock 149 0 4096
# calls: mlockall 151 3
# calls: mlock2 325 0 4096 0
