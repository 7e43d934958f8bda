# want: RTE ValueError
def solve(values):
    raise ValueError(repr(values))
