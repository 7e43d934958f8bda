"""Wrong: integer arrays cannot be scaled in place."""

import numpy as np


def clip_grad_norm(grads, max_norm):
    norm = float(np.sqrt(sum(np.sum(grad**2) for grad in grads)))
    for grad in grads:
        grad *= min(1.0, max_norm / (norm + 1e-6))
    return [[grad.tolist() for grad in grads], norm]
