"""Wrong: a bracket is missing."""

import numpy as np


def clip_by_global_norm(grads, max_norm):
    norm = np.sqrt(sum(np.sum(np.square(grad)) for grad in grads)
    return grads, norm
