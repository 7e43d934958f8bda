"""NumPy: one sum of squares a vector, and a condition."""

import numpy as np


def clip_gradients(grads, max_norm):
    norm = np.sqrt(sum(np.sum(grad**2) for grad in grads))
    if norm > max_norm:
        return [grad * (max_norm / norm) for grad in grads]
    return [grad.copy() for grad in grads]
