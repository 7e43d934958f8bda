"""Another order of summation: the norm of the tensors' own norms, last tensor first."""

import math

import numpy as np


def clip_by_global_norm(grads, max_norm):
    norm = math.hypot(*[np.linalg.norm(grad) for grad in reversed(grads)])
    share = max_norm / max(norm, max_norm)
    return [np.multiply(grad, share) for grad in grads], norm
