# want: MLE|RTE
def solve(values):
    return "a" * 10**9 * 10**9
