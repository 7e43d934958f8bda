# want: TLE cpu
import sys

def solve(values):
    sys.set_int_max_str_digits(0)
    return str(10 ** 10**7)
