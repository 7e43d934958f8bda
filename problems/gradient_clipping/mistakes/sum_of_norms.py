"""The norms of the tensors were added up

Each tensor's own norm was computed, and these norms were added. Norms do not add: tensors with the
norms 3 and 4 have a global norm of 5, not 7. Add the squares of the norms and take the root of
that sum, which is the same as the root of the sum of all squares.
"""

import numpy as np

NOT_IN = ("dict6",)  # the norm of one number is its absolute value: see l1_norm


def mistake(tensors, limit, eps=0.0):
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    norm = float(sum(np.sqrt(np.sum(array * array)) for array in arrays))
    factor = limit / (norm + eps) if norm + eps > limit else 1.0
    return {"clipped": [np.array(array * factor) for array in arrays], "norm": norm}
