"""The mean of the squares was used instead of their sum

The squares were averaged instead of summed. The root of the mean square is a typical size of one
entry: it is smaller than the norm by the square root of the number of entries, so that almost
nothing is clipped. Use the sum of the squares (`np.sum`, not `np.mean`).
"""

import numpy as np

NOT_IN = ("dict6",)  # the mean of one square is that square


def mistake(tensors, limit, eps=0.0):
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    norm = float(np.sqrt(sum(np.mean(array * array) for array in arrays)))
    factor = limit / (norm + eps) if norm + eps > limit else 1.0
    return {"clipped": [np.array(array * factor) for array in arrays], "norm": norm}
