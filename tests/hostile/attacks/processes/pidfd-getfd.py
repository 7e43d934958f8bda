# want: AC
# calls: pidfd_open 434 1
# calls: pidfd_getfd 438 3 0
# calls: pidfd_send_signal 424 3 9
