# want: RTE
import os

def solve(values):
    os.abort()
