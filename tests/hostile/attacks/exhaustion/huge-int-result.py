# want: OLE
def solve(values):
    return 1 << (8 * 10**8)
