"""Wrong: vectors below the limit are scaled up to it."""

import numpy as np


def clip_gradients(grads, max_norm):
    norm = np.sqrt(sum(np.sum(grad**2) for grad in grads))
    return [grad * max_norm / norm for grad in grads]
