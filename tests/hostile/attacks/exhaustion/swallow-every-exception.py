# want: TLE cpu
def solve(values):
    while True:
        try:
            while True:
                pass
        except BaseException:
            continue
