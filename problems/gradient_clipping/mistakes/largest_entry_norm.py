"""The largest entry was used as the norm

The largest absolute value was taken for the norm: the maximum norm, 4 for the entries 3 and 4. The
L2 norm is the square root of the sum of all squares, 5 here. It counts every entry, so that many
small ones can exceed the limit together.
"""

import numpy as np


def mistake(tensors, limit, eps=0.0):
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    norm = max((float(np.max(np.abs(array))) for array in arrays), default=0.0)
    factor = limit / (norm + eps) if norm + eps > limit else 1.0
    return {"clipped": [np.array(array * factor) for array in arrays], "norm": norm}
