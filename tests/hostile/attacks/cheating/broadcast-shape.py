# want: WA
import numpy as np

def solve(values):
    return np.full((1, 1), values.sum())
