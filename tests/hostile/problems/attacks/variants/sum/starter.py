def solve(values):
    pass
