# want: AC
# calls: splice 275
# calls: vmsplice 278
# calls: tee 276
# calls: sendfile 40
# calls: copy_file_range 326
# calls: sendmsg 46
# calls: sendmmsg 307
# calls: process_mrelease 448
