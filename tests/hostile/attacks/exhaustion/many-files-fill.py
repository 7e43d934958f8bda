# want: A: RTE OSError, C: RTE PermissionError
def solve(values):
    for number in range(100_000):
        open(f"file{number}", "wb").close()
