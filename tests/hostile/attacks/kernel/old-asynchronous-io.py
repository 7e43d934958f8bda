# want: AC
# calls: io_setup 206 8
# calls: io_submit 209
