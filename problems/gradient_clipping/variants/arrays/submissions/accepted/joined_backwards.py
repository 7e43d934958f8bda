"""Another order of summation: all vectors joined, last one first, and a product with itself."""

import numpy as np


def clip_gradients(grads, max_norm):
    joined = np.concatenate(grads[::-1]).astype(float)
    norm = np.sqrt(joined @ joined)
    return [grad / max(1.0, norm / max_norm) for grad in grads]
