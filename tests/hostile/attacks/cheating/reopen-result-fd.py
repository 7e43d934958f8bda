# want: RTE exit 0|RTE malformed
import os

def solve(values):
    os.dup2(1, 3)
    return values.sum()
