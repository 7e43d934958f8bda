# want: OLE
import numpy as np

def solve(values):
    return [np.zeros(1)] * 4_000_001
