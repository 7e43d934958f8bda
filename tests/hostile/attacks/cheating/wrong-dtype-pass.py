# want: WA
def solve(values):
    return complex(values.sum(), 0)
