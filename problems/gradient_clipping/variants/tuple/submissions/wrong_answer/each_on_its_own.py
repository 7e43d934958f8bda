"""Wrong: every tensor is compared with the limit by its own norm."""

import numpy as np


def clip_by_global_norm(grads, max_norm):
    norm = np.sqrt(sum(np.sum(np.square(grad)) for grad in grads))
    clipped = []
    for grad in grads:
        array = np.asarray(grad, dtype=float)
        own = np.linalg.norm(array)
        clipped.append(array * min(1.0, max_norm / own) if own > 0 else array)
    return clipped, norm
