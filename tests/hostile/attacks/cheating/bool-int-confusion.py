# want: WA
def solve(values):
    return True
