# want: AC
# calls: kill 62 1 9
# calls: tkill 200 1 9
# calls: tgkill 234 1 1 9
# calls: rt_sigqueueinfo 129 1 9
# calls: kill-everyone 62 -1 9
