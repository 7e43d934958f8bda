# want: AC
# calls: process_vm_readv 310 1
# calls: process_vm_writev 311 1
# calls: process_madvise 440 3
# calls: process_mrelease 448 3
