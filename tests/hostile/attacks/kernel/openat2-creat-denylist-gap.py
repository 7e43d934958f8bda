# want: AC
# calls: openat2 437
# calls: creat 85
# calls: open 2
# calls: name_to_handle_at 303
