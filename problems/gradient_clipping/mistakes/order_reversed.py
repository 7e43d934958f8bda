"""The order was reversed

The right numbers, last one first. Each clipped gradient belongs to the parameter at the same
place, so the list must come back in the order in which it was given. `insert(0, ...)`, popping
from the end, or a loop over `reversed(...)` are the usual causes.
"""

import numpy as np


def mistake(tensors, limit, eps=0.0):
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    norm = float(np.sqrt(sum(np.sum(array * array) for array in arrays)))
    factor = limit / (norm + eps) if norm + eps > limit else 1.0
    return {"clipped": [np.array(array * factor) for array in reversed(arrays)], "norm": norm}
