# want: AC
# calls: shmget 29 0 4096 512
# calls: shmat 30
# calls: semget 64 0 1 512
# calls: msgget 68 0 512
# calls: mq_open 240
