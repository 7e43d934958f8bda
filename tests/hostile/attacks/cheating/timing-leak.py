# want: AC
import time

def solve(values):
    time.sleep(float(values[0]) / 1000)
    return values.sum()
