# want: OLE
def solve(values):
    return "x" * (100 << 20)
