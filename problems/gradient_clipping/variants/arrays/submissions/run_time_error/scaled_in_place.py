"""Wrong: integer vectors cannot be scaled in place."""

import numpy as np


def clip_gradients(grads, max_norm):
    norm = np.sqrt(sum(np.sum(grad**2) for grad in grads))
    for grad in grads:
        grad *= max_norm / max(norm, max_norm)
    return grads
