# want: WA
def solve(values):
    yield values.sum()
