"""Each tensor was clipped on its own

The norm that counts is the global one: the root of the sum of squares over every entry of every
tensor. Here each tensor was compared with the limit by its own norm and scaled by its own factor.
That changes the direction of the step: large tensors are held back, small ones are not. Compute
one norm over all tensors first, then multiply all of them by the same factor.
"""

import numpy as np

NOT_IN = ("dict6",)  # there every number is a tensor of its own: see entries_clamped


def mistake(tensors, limit, eps=0.0):
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    norm = float(np.sqrt(sum(np.sum(array * array) for array in arrays)))
    clipped = []
    for array in arrays:
        own = float(np.sqrt(np.sum(array * array)))
        factor = limit / (own + eps) if own + eps > limit else 1.0
        clipped.append(np.array(array * factor))
    return {"clipped": clipped, "norm": norm}
