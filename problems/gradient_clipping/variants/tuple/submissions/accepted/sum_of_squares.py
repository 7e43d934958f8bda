"""NumPy: the squares of each tensor are summed, then the sums."""

import numpy as np


def clip_by_global_norm(grads, max_norm):
    arrays = [np.asarray(grad) for grad in grads]
    norm = np.sqrt(sum(np.sum(array * array) for array in arrays))
    factor = max_norm / norm if norm > max_norm else 1.0
    return [array * factor for array in arrays], float(norm)
