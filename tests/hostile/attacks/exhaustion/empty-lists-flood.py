# want: OLE
import numpy as np

def solve(values):
    return [np.zeros((10**9, 0)), [1.0]]
