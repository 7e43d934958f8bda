# want: OLE
import os

def solve(values):
    while True:
        os.write(1, b"x" * 65536)
