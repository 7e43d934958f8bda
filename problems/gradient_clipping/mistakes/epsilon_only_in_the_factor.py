"""The epsilon is in the factor but not in the condition

The factor divides by the norm plus 1e-6, and the comparison must use the same sum: gradients are
scaled if the norm plus 1e-6 is above the limit. Comparing the bare norm gives another answer
when the norm is at the limit or less than 1e-6 below it: those gradients are still scaled, a little.
"""

import numpy as np

NOT_IN = ("dict7", "tuple", "dict6", "arrays")  # they ask for no epsilon


def mistake(tensors, limit, eps=0.0):
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    norm = float(np.sqrt(sum(np.sum(array * array) for array in arrays)))
    factor = limit / (norm + eps) if norm > limit else 1.0
    return {"clipped": [np.array(array * factor) for array in arrays], "norm": norm}
