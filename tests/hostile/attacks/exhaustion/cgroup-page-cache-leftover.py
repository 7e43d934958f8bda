# want: A: AC, C: RTE PermissionError
def solve(values):
    with open("left", "wb") as file:
        file.write(b"x" * (8 << 20))
    return values.sum()
