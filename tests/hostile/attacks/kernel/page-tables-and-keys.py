# want: AC
# calls: remap_file_pages 216
# calls: pkey_alloc 330
# calls: modify_ldt 154
# calls: arch_prctl 158 4098
# calls: mbind 237
# calls: move_pages 279
# calls: migrate_pages 256
# calls: set_mempolicy 238
