# want: RTE PermissionError
import os

def solve(values):
    while True:
        os.fork()
