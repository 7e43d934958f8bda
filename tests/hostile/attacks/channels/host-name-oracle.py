# want: AC
import os

def solve(values):
    try:
        os.uname()
    except OSError:
        pass
    return values.sum()
