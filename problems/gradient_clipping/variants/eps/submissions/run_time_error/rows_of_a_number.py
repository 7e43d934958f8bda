"""Wrong: loops over rows, which a 0-d array does not have."""

import math


def clip_grad_norm(grads, max_norm):
    total = 0.0
    for grad in grads:
        for row in grad:
            total += float((row**2).sum())
    norm = math.sqrt(total)
    factor = min(1.0, max_norm / (norm + 1e-6))
    return [[(grad * factor).tolist() for grad in grads], norm]
