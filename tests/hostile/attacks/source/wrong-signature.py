# want: CE signature
def solve(values, more):
    return 0
