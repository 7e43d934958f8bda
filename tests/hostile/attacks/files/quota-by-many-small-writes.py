# want: A: RTE OSError, C: RTE PermissionError
def solve(values):
    for number in range(64):
        with open(f"part{number}", "wb", buffering=0) as file:
            for _ in range(16):
                if file.write(b"x" * (1 << 16)) < 1 << 16:
                    raise OSError("full")
    return values.sum()
