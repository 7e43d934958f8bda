# want: AC
# calls: setpriority 141 0 0 -20
# calls: ioprio_set 251 1 0 0
# calls: sched_setscheduler 144 0 1 0
# calls: sched_setaffinity 203 0 0 0
