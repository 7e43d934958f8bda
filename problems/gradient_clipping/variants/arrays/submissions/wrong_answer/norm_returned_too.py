"""Wrong: the norm comes along; only the list is asked for."""

import numpy as np


def clip_gradients(grads, max_norm):
    norm = np.sqrt(sum(np.sum(grad**2) for grad in grads))
    factor = max_norm / max(norm, max_norm)
    return [grad * factor for grad in grads], norm
