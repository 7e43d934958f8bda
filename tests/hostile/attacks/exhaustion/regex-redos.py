# want: TLE cpu
import re

def solve(values):
    return re.match("(a+)+$", "a" * 40 + "b")
