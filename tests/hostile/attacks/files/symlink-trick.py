# want: RTE PermissionError
import os

def solve(values):
    os.symlink("/etc/passwd", "result.json")
    return values.sum()
