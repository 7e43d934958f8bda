# want: WA
def solve(values):
    return {10**9000: float(values.sum()), -(10**9000): [10**9000]}
