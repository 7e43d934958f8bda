# want: AC
# calls: setuid 105 0
# calls: setgid 106 0
# calls: setreuid 113 0 0
# calls: setregid 114 0 0
# calls: setresuid 117 0 0 0
# calls: setresgid 119 0 0 0
# calls: setgroups 116 0 0
# calls: setfsuid 122 0
# calls: capset 126 0 0
