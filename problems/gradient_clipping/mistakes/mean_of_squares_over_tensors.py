"""The mean of the squares was used instead of their sum

The squares were averaged instead of summed. The root of the mean square is a typical size of one
entry: it is smaller than the norm by the square root of the number of entries, so that almost
nothing is clipped. Use the sum of the squares (`np.sum`, not `np.mean`).
"""

import numpy as np

NOT_IN = ("dict6",)  # there it is the mean over all numbers: see mean_of_squares


def mistake(tensors, limit, eps=0.0):
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    total = float(sum(np.sum(array * array) for array in arrays))
    norm = float(np.sqrt(total / len(arrays))) if arrays else 0.0
    factor = limit / (norm + eps) if norm + eps > limit else 1.0
    return {"clipped": [np.array(array * factor) for array in arrays], "norm": norm}
