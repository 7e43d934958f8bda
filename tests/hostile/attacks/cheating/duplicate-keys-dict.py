# want: WA
def solve(values):
    return {float("nan"): 1, float("nan"): 2, (1,): 3}
