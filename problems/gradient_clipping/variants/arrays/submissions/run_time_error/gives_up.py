"""Wrong: ends the process where nothing is to be clipped."""

import sys

import numpy as np


def clip_gradients(grads, max_norm):
    norm = np.sqrt(sum(np.sum(grad**2) for grad in grads))
    if norm < max_norm:
        sys.exit(0)
    return [grad * max_norm / norm for grad in grads]
