# want: AC
import sys

def solve(values):
    assert sys.stdin.read() == ""
    return values.sum()
