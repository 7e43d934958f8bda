# want: WA
import numpy as np

def solve(values):
    return np.empty((0,))
