# want: AC
# calls: execve 59
# calls: execveat 322 3 0 0 0 4096
