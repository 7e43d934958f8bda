"""The limit was hard-coded to 1

The limit is an argument, but the code works with a limit of 1. That passes wherever a test
happens to use 1 and fails everywhere else. Use the second argument in the comparison and in the
factor.
"""

import numpy as np


def mistake(tensors, limit, eps=0.0):
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    norm = float(np.sqrt(sum(np.sum(array * array) for array in arrays)))
    factor = limit / (norm + eps) if norm > 1.0 else 1.0
    return {"clipped": [np.array(array * factor) for array in arrays], "norm": norm}
