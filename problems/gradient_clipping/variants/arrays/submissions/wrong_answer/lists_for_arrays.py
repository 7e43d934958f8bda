"""Wrong: lists where arrays are asked for."""

import numpy as np


def clip_gradients(grads, max_norm):
    norm = np.sqrt(sum(np.sum(grad**2) for grad in grads))
    factor = max_norm / max(norm, max_norm)
    return [(grad * factor).tolist() for grad in grads]
