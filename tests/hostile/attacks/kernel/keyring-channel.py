# want: AC
# calls: add_key 248
# calls: request_key 249
# calls: keyctl 250 0 -4
