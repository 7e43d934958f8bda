# want: RTE PermissionError
import os

def solve(values):
    return os.listdir("/")
