"""The norm after clipping was reported

The norm to report is the one before clipping: it tells how large the gradients were, which is what
one plots during training. After clipping it is never above the limit and tells almost nothing.
Keep the norm in a variable before anything is scaled, and return that one.
"""

import numpy as np

NOT_IN = ("dict7", "tuple", "dict6", "arrays")  # without an epsilon it is the same


def mistake(tensors, limit, eps=0.0):
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    norm = float(np.sqrt(sum(np.sum(array * array) for array in arrays)))
    factor = limit / (norm + eps) if norm + eps > limit else 1.0
    return {"clipped": [np.array(array * factor) for array in arrays], "norm": min(norm, limit)}
