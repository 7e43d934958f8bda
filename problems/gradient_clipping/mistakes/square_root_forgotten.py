"""The square root was forgotten

The sum of squares was used as the norm. The L2 norm is the square root of that sum: for the
entries 3 and 4 it is 5, not 25. Both the comparison with the limit and the factor need the root.
"""

import numpy as np


def mistake(tensors, limit, eps=0.0):
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    norm = float(sum(np.sum(array * array) for array in arrays))
    factor = limit / (norm + eps) if norm + eps > limit else 1.0
    return {"clipped": [np.array(array * factor) for array in arrays], "norm": norm}
