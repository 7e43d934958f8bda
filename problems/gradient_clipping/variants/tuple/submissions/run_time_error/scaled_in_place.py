"""Wrong: an integer array cannot be scaled in place."""

import numpy as np


def clip_by_global_norm(grads, max_norm):
    arrays = [np.asarray(grad) for grad in grads]
    norm = np.sqrt(sum(np.sum(array**2) for array in arrays))
    for array in arrays:
        array *= max_norm / max(norm, max_norm)
    return arrays, norm
