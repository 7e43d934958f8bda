"""Everything joined into one vector, its squares summed exactly, then cut apart again."""

import math

import numpy as np


def clip_by_global_norm(grads, max_norm):
    flat = np.concatenate([np.ravel(grad) for grad in grads])
    norm = math.sqrt(math.fsum(flat**2))
    flat = flat * (max_norm / max(norm, max_norm))

    clipped = []
    for grad in grads:
        count = np.size(grad)
        clipped.append(flat[:count].reshape(np.shape(grad)))
        flat = flat[count:]
    return clipped, norm
