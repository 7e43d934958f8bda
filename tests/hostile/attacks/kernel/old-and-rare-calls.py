# want: AC
# calls: uselib 134
# calls: ustat 136
# calls: sysfs 139
# calls: lookup_dcookie 212
# calls: get_kernel_syms 177
# calls: nfsservctl 180
# calls: iopl 172 3
# calls: ioperm 173 0 1 1
# calls: getpmsg 181
