# want: MLE|OLE
def solve(values):
    return (1 << 10**9) * 3
