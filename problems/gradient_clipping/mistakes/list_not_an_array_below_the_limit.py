"""A list was used as if it were an array

A Python list does not multiply entry by entry: `[1, 2] * 2` repeats it, and by a fraction it cannot
be multiplied at all. Some of the gradients are nested lists. `np.asarray(g)` makes an array of
either, and `np.asarray(g) * factor` is what is wanted.
"""

import numpy as np

NOT_IN = ("dict7", "dict6", "arrays", "eps")  # they hand over no nested lists


def mistake(tensors, limit, eps=0.0):
    norm = float(np.sqrt(sum(np.sum(np.square(tensor)) for tensor in tensors)))
    if norm + eps <= limit:
        return {"clipped": [np.asarray(tensor) for tensor in tensors], "norm": norm}
    return {"clipped": [tensor * (limit / (norm + eps)) for tensor in tensors], "norm": norm}
