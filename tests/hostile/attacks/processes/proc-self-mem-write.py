# want: RTE FileNotFoundError|PermissionError
def solve(values):
    with open("/proc/self/mem", "r+b") as file:
        file.write(b"x")
