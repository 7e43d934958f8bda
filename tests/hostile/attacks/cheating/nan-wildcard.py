# want: WA
def solve(values):
    return float("nan")
