"""The absolute values were summed (the L1 norm)

The absolute values were added up: the L1 norm, 7 for the entries 3 and 4. The L2 norm squares
each entry, adds the squares and takes the square root of the sum: 5. The L1 norm is never smaller,
so gradients are clipped that need not be, and too hard.
"""

import numpy as np

TITLE_IN = {"dict6": "The absolute values were summed (the L1 norm, a sum of the numbers' norms)"}


def mistake(tensors, limit, eps=0.0):
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    norm = float(sum(np.sum(np.abs(array)) for array in arrays))
    factor = limit / (norm + eps) if norm + eps > limit else 1.0
    return {"clipped": [np.array(array * factor) for array in arrays], "norm": norm}
