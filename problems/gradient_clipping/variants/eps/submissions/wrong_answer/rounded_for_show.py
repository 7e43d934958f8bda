"""Wrong: rounded to the four places that the examples show."""

import numpy as np


def clip_grad_norm(grads, max_norm):
    norm = float(np.sqrt(sum(np.sum(grad**2) for grad in grads)))
    factor = min(1.0, max_norm / (norm + 1e-6))
    return [[np.round(grad * factor, 4).tolist() for grad in grads], round(norm, 4)]
