# want: RTE RecursionError
import sys
sys.setrecursionlimit(5000)

def solve(values):
    return solve(values)
