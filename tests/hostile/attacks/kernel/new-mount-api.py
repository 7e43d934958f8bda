# want: AC
# calls: fsopen 430
# calls: fsconfig 431
# calls: fsmount 432
# calls: fspick 433
# calls: move_mount 429
# calls: open_tree 428
# calls: mount_setattr 442
# calls: statmount 457
# calls: listmount 458
