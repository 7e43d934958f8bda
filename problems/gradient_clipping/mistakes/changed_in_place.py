"""The input arrays were changed in place

`array *= factor` writes into the caller's own array. Whoever called still needs those gradients,
and an array of integers cannot take a fraction at all: NumPy refuses with a casting error. Make a
new array with `array * factor`.
"""

import numpy as np

NOT_IN = ("dict6",)  # it hands over a list of numbers, which cannot be scaled in place


def mistake(tensors, limit, eps=0.0):
    arrays = [np.asarray(tensor) for tensor in tensors]
    norm = float(np.sqrt(sum(np.sum(array * array) for array in arrays)))
    factor = limit / (norm + eps) if norm + eps > limit else 1.0
    if factor < 1.0:
        for array in arrays:
            array *= factor
    return {"clipped": arrays, "norm": norm}
