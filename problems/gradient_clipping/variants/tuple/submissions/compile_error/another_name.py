"""Wrong: the function is called something else."""

import numpy as np


def clip_by_norm(grads, max_norm):
    arrays = [np.asarray(grad, dtype=float) for grad in grads]
    norm = np.sqrt(sum(np.sum(array**2) for array in arrays))
    factor = max_norm / max(norm, max_norm)
    return [array * factor for array in arrays], norm
