# want: OLE
import numpy as np

def solve(values):
    return np.broadcast_to(np.ones(1), (10**6, 10**6))
