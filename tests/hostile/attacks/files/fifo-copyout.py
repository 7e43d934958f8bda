# want: RTE PermissionError
import os

def solve(values):
    os.mkfifo("out")
