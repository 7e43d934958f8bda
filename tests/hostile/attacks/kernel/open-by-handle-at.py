# want: AC
# calls: name_to_handle_at 303
# calls: open_by_handle_at 304
