# want: A: RTE OSError, C: RTE PermissionError
import os

def solve(values):
    for _ in range(2000):
        os.mkdir("d")
        os.chdir("d")
    with open("leaf", "w") as file:
        file.write("deep")
    os.mkdir("x" * 10_000)
