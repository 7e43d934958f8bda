# want: MLE
import numpy as np

def solve(values):
    return np.ones((1 << 16, 1 << 16)).sum()
