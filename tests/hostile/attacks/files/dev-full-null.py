# want: RTE FileNotFoundError|PermissionError
def solve(values):
    open("/dev/full", "w").write("x")
