# want: WA
import sys

def solve(values):
    sys.modules["submission"].solve = lambda values: values.sum()
    return 0.0
