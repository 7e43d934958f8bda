# want: TLE cpu
def solve(values):
    while True:
        pass
