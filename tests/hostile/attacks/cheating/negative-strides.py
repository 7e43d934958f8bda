# want: WA
import numpy as np

def solve(values):
    return values[::-1].reshape(1, -1).T
