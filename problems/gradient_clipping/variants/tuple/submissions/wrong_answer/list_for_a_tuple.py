"""Wrong: the right numbers in a list; a tuple is asked for."""

import numpy as np


def clip_by_global_norm(grads, max_norm):
    arrays = [np.asarray(grad, dtype=float) for grad in grads]
    norm = np.sqrt(sum(np.sum(array**2) for array in arrays))
    factor = max_norm / norm if norm > max_norm else 1.0
    return [[array * factor for array in arrays], norm]
