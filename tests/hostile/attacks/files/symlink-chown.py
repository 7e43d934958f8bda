# want: RTE PermissionError
import os

def solve(values):
    os.symlink("/", "tree")
    os.chown("tree", 0, 0)
