# want: RTE exit 1
import os

def solve(values):
    os._exit(int(values[0]))
