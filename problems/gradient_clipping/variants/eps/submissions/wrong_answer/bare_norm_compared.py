"""Wrong: the epsilon is in the divisor but not in the comparison."""

import numpy as np


def clip_grad_norm(grads, max_norm):
    norm = float(np.sqrt(sum(np.sum(grad**2) for grad in grads)))
    factor = max_norm / (norm + 1e-6) if norm > max_norm else 1.0
    return [[(grad * factor).tolist() for grad in grads], norm]
