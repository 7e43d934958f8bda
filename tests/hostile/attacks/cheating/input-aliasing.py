# want: WA
def solve(values):
    return values
