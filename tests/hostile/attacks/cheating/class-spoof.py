# want: WA
import numpy as np

class Spoof:
    __class__ = np.ndarray
    dtype, shape, size = np.dtype("f8"), (), 1

def solve(values):
    return Spoof()
