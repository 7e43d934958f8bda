"""A plain loop over every entry."""

import math

import numpy as np


def clip_gradients(grads, max_norm):
    total = 0.0
    for grad in grads:
        for entry in grad.tolist():
            total += entry * entry
    norm = math.sqrt(total)

    clipped = []
    for grad in grads:
        if norm > max_norm:
            grad = grad * max_norm / norm
        clipped.append(np.array(grad))
    return clipped
