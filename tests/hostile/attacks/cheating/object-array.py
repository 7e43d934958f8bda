# want: WA
import numpy as np

def solve(values):
    return np.array([values.sum(), object()], dtype=object)
