# want: CE no_entry_point
def solve(values):
    return 0

del solve
