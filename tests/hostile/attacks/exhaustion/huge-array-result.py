# want: OLE
import numpy as np

def solve(values):
    return np.zeros(10_000_000)
