"""A loop over every entry and an explicit condition."""

import math


def clip_grad_norm(grads, max_norm):
    total = 0.0
    for grad in grads:
        for entry in grad.ravel().tolist():
            total += entry * entry
    norm = math.sqrt(total)
    reach = norm + 1e-6

    clipped = []
    for grad in grads:
        if reach > max_norm:
            grad = grad * max_norm / reach
        clipped.append(grad.tolist())
    return [clipped, norm]
