"""The input arrays were changed in place

`array *= factor` writes into the caller's own array. Whoever called still needs those gradients,
and an array of integers cannot take a fraction at all: NumPy refuses with a casting error. Make a
new array with `array * factor`.
"""

import numpy as np

NOT_IN = ("dict7", "dict6", "arrays", "eps")  # they hand over no nested lists


def mistake(tensors, limit, eps=0.0):
    norm = float(np.sqrt(sum(np.sum(np.square(tensor)) for tensor in tensors)))
    if norm + eps > limit:
        for tensor in tensors:
            tensor *= limit / (norm + eps)  # a list cannot be multiplied by a fraction at all
    return {"clipped": [np.asarray(tensor) for tensor in tensors], "norm": norm}
