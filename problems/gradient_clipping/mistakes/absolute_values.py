"""The signs were lost

The right sizes, but every entry came out positive: absolute values were returned. A gradient's
sign says in which direction the loss grows; clipping multiplies by a positive factor and keeps
every sign. Take absolute values at most inside the norm, where squaring makes them unnecessary.
"""

import numpy as np


def mistake(tensors, limit, eps=0.0):
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    norm = float(np.sqrt(sum(np.sum(array * array) for array in arrays)))
    factor = limit / (norm + eps) if norm + eps > limit else 1.0
    return {"clipped": [np.array(np.abs(array) * factor) for array in arrays], "norm": norm}
