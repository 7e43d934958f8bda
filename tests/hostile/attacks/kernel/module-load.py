# want: AC
# calls: init_module 175
# calls: finit_module 313
# calls: delete_module 176
# calls: kexec_load 246
# calls: kexec_file_load 320
# calls: reboot 169
# calls: swapon 167
# calls: swapoff 168
# calls: acct 163
# calls: quotactl 179
# calls: syslog 103
# calls: vhangup 153
