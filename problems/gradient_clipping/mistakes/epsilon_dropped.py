"""The epsilon was left out

The rule here divides by the norm plus 1e-6 and compares that sum with the limit. Without the
epsilon the factor is too large by a relative 1e-6 / norm: it hides at large norms, and shows at
small ones and where the norm equals the limit.
"""

import numpy as np

NOT_IN = ("dict7", "tuple", "dict6", "arrays")  # they ask for no epsilon


def mistake(tensors, limit, eps=0.0):
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    norm = float(np.sqrt(sum(np.sum(array * array) for array in arrays)))
    factor = limit / norm if norm > limit else 1.0
    return {"clipped": [np.array(array * factor) for array in arrays], "norm": norm}
