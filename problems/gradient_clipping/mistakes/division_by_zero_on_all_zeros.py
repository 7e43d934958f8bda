"""Zero divided by zero when every gradient is zero

The factor min(norm, limit) / norm is right for every norm but zero: there it is 0 / 0, which NumPy
answers with NaN and plain Python with ZeroDivisionError. All-zero gradients do occur (dead units,
masked batches). Compare first, and divide only if the norm is above the limit.
"""

import numpy as np

NOT_IN = ("eps",)  # an epsilon keeps the divisor positive


def mistake(tensors, limit, eps=0.0):
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    norm = float(np.sqrt(sum(np.sum(array * array) for array in arrays)))
    factor = min(norm, limit) / norm
    return {"clipped": [np.array(array * factor) for array in arrays], "norm": norm}
