# want: RTE exit 0|RTE malformed
import os

def solve(values):
    os.closerange(0, 64)
    return values.sum()
