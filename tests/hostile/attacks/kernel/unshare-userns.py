# want: AC
# calls: unshare-user 272 268435456
# calls: unshare-mount 272 131072
# calls: unshare-net 272 1073741824
# calls: unshare-files 272 1024
