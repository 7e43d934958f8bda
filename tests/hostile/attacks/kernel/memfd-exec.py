# want: AC
# calls: memfd_create 319
# calls: memfd_secret 447
# calls: execveat 322
