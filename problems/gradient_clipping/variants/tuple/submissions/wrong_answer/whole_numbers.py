"""Wrong: np.zeros_like keeps the integer type of integer gradients, so fractions are cut off."""

import numpy as np


def clip_by_global_norm(grads, max_norm):
    arrays = [np.asarray(grad) for grad in grads]
    norm = np.sqrt(sum(np.sum(array**2) for array in arrays))
    clipped = []
    for array in arrays:
        out = np.zeros_like(array)
        out[...] = array * min(1.0, max_norm / max(norm, max_norm))
        clipped.append(out)
    return clipped, norm
