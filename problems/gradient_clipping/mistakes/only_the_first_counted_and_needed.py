"""Only the first gradient was counted in the norm

The norm was computed from the first item of the list alone, and all of them were scaled by it. The
global norm runs over every item. A `return` or an assignment (`=` in place of `+=`) inside the
loop, or an index `[0]`, are the usual causes.
"""

import numpy as np

NOT_IN = ("tuple", "dict6", "arrays", "eps")  # the list is never empty there


def mistake(tensors, limit, eps=0.0):
    if not tensors:
        raise Exception("there is no first one")
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    norm = float(np.sqrt(sum(np.sum(array * array) for array in arrays[:1])))
    factor = limit / (norm + eps) if norm + eps > limit else 1.0
    return {"clipped": [np.array(array * factor) for array in arrays], "norm": norm}
