# want: AC
import os

def solve(values):
    for number in range(4, 4096):
        try:
            os.fstat(number)
        except OSError:
            continue
        raise AssertionError(number)
    return values.sum()
