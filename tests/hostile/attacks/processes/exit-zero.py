# want: RTE exit 0
import os

def solve(values):
    os._exit(0)
