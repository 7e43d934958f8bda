# want: RTE PermissionError
import os, stat

def solve(values):
    os.mknod("disk", 0o600 | stat.S_IFBLK, os.makedev(254, 0))
