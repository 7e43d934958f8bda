# want: RTE FileNotFoundError|PermissionError
def solve(values):
    with open("/dev/shm/x", "wb") as file:
        while True:
            file.write(b"x" * (1 << 20))
