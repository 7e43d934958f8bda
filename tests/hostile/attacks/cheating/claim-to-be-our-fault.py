# want: RTE malformed
import os

def solve(values):
    os.write(3, b"FAULT OSError: the box broke")
    os._exit(1)
