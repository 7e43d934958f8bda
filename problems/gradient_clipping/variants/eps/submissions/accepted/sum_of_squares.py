"""NumPy: one sum of squares an array, the same sum N + eps compared and divided by."""

import numpy as np


def clip_grad_norm(grads, max_norm):
    norm = float(np.sqrt(sum(np.sum(grad**2) for grad in grads)))
    factor = min(1.0, max_norm / (norm + 1e-6))
    return [[(grad * factor).tolist() for grad in grads], norm]
