# want: AC
# calls: io_uring_setup 425 8
# calls: io_uring_enter 426 3
# calls: io_uring_register 427 3
