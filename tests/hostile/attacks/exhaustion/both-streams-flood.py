# want: OLE
import os

def solve(values):
    for _ in range(40):
        os.write(1, b"x" * 1024)
        os.write(2, b"y" * 1024)
    return values.sum()
