# want: AC
# calls: clock_settime 227
# calls: clock_adjtime 305
# calls: adjtimex 159
# calls: settimeofday 164
