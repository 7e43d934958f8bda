# want: WA
import numpy as np

def solve(values):
    return [np.zeros((1,) * 64), np.zeros((1,) * 64)]
