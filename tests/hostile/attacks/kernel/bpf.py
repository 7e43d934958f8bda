# want: AC
# calls: bpf 321 5
# calls: perf_event_open 298
# calls: seccomp 317 1 0
# calls: seccomp-notify 317 1 8
