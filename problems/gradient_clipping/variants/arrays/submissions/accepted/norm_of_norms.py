"""The norm of the vectors' own norms."""

import math

import numpy as np


def clip_gradients(grads, max_norm):
    norm = math.hypot(*map(np.linalg.norm, grads))
    share = max_norm / max(norm, max_norm)
    return [np.multiply(grad, share) for grad in grads]
