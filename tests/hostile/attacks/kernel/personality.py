# want: AC
# calls: personality 135 4456448
# calls: personality-query 135 4294967295
