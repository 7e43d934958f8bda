# want: OLE
def solve(values):
    return [None] * 10**7
