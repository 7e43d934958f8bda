"""The empty list was not expected

The list may be empty: then there is nothing to clip and the norm is 0. `np.concatenate`, `np.stack`
and `max` refuse an empty list, and `gradients[0]` is not there. A sum over nothing is 0, so a
plain loop or `sum(...)` needs no special case; otherwise return early.
"""

import numpy as np

NOT_IN = ("tuple", "dict6", "arrays", "eps")  # the list is never empty there


def mistake(tensors, limit, eps=0.0):
    if not tensors:
        # Whatever the program tripped over: any exception is this mistake.
        raise Exception("nothing to join, stack or index")
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    norm = float(np.sqrt(sum(np.sum(array * array) for array in arrays)))
    factor = limit / (norm + eps) if norm + eps > limit else 1.0
    return {"clipped": [np.array(array * factor) for array in arrays], "norm": norm}
