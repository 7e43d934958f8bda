# want: RTE FileNotFoundError|PermissionError
import os

def solve(values):
    return open(f"/proc/{os.getppid()}/mem", "rb").read(1)
