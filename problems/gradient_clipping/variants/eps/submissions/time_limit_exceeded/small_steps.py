"""Wrong: walks down from the norm in small steps; from 1e151 that never arrives."""

import numpy as np


def clip_grad_norm(grads, max_norm):
    norm = float(np.sqrt(sum(np.sum(grad**2) for grad in grads)))
    left = norm + 1e-6
    while left > max_norm:
        left -= 0.001
    factor = min(1.0, max_norm / (norm + 1e-6))
    return [[(grad * factor).tolist() for grad in grads], norm]
