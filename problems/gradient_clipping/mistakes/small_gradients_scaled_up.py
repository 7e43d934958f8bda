"""Small gradients were scaled up

Every list was multiplied by limit / norm, also one whose norm is below the limit. Then the factor
is larger than 1 and small gradients grow to the limit. Clipping only ever shortens: scale if the
norm is above the limit, and otherwise return the gradients as they are (a factor of 1).
"""

import numpy as np


def mistake(tensors, limit, eps=0.0):
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    norm = float(np.sqrt(sum(np.sum(array * array) for array in arrays)))
    factor = limit / (norm + eps) if norm + eps > 0 else 1.0
    return {"clipped": [np.array(array * factor) for array in arrays], "norm": norm}
