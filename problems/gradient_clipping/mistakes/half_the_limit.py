"""Scaled to half the limit

Everything that is clipped comes out with half the norm it should have. After clipping the norm
must be the limit itself: the factor is limit / norm, with nothing halved or doubled. Look for a
stray 0.5 or 2, for example from the gradient of a square.
"""

import numpy as np


def mistake(tensors, limit, eps=0.0):
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    norm = float(np.sqrt(sum(np.sum(array * array) for array in arrays)))
    factor = 0.5 * limit / (norm + eps) if norm + eps > limit else 1.0
    return {"clipped": [np.array(array * factor) for array in arrays], "norm": norm}
