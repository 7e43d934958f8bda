# want: TLE cpu
def solve(values):
    return 10 ** 10 ** 10
