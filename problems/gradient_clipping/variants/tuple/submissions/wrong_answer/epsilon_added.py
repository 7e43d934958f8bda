"""Wrong: a small constant in the divisor shows as soon as the norm is small."""

import numpy as np


def clip_by_global_norm(grads, max_norm):
    arrays = [np.asarray(grad, dtype=float) for grad in grads]
    norm = np.sqrt(sum(np.sum(array**2) for array in arrays))
    return [array * min(1.0, max_norm / (norm + 1e-6)) for array in arrays], norm
