# want: OLE|TLE
import os

def solve(values):
    for _ in range(10_000_000):
        os.write(1, b"x")
