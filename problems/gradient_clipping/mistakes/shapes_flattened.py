"""The shapes were lost

The numbers are right, but each gradient came back as a flat list. An optimizer adds the clipped
gradient to a parameter of the same shape, so every item must keep the shape it came in, down to a
single number for a 0-d array. Multiply the array itself, or `reshape` what was flattened.
"""

import numpy as np

NOT_IN = ("dict6", "arrays")  # everything is flat there


def mistake(tensors, limit, eps=0.0):
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    norm = float(np.sqrt(sum(np.sum(array * array) for array in arrays)))
    factor = limit / (norm + eps) if norm + eps > limit else 1.0
    return {"clipped": [array.ravel() * factor for array in arrays], "norm": norm}
