# want: WA
def solve(values):
    return float("inf")
