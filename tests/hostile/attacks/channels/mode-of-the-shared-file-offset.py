# want: AC
import os

def solve(values):
    for number in range(4):
        try:
            os.lseek(number, 7, os.SEEK_SET)
        except OSError:
            continue
        raise AssertionError(number)
    return values.sum()
