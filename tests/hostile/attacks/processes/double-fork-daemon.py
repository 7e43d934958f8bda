# want: RTE PermissionError
import os, time

def solve(values):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
    return values.sum()
