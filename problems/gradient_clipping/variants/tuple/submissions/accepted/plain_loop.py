"""A plain loop over every entry, one running sum, and division by how many times too long it is."""

import numpy as np


def clip_by_global_norm(grads, max_norm):
    total = 0.0
    for grad in grads:
        for entry in np.ravel(grad).tolist():
            total += entry * entry
    norm = total**0.5

    excess = norm / max_norm
    if excess < 1.0:
        excess = 1.0
    clipped = []
    for grad in grads:
        clipped.append(np.asarray(grad) / excess)
    return clipped, norm
