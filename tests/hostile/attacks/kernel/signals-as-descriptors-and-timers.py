# want: AC
# calls: signalfd4 289
# calls: timerfd_create 283 1
# calls: timer_create 222 1
# calls: eventfd2 290
# calls: epoll_create1 291
# calls: futex_waitv 449
