# want: WA
import atexit, os

atexit.register(os.write, 3, b"ACL1" + b"x" * 100)

def solve(values):
    return 0.0
