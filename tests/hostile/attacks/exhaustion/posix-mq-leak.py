# want: AC
# calls: mq_open 240
