# want: AC
# calls: inotify_init1 294 0
# calls: fanotify_init 300 0 0
# calls: inotify_add_watch 254 0
