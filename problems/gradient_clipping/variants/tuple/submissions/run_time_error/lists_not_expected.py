"""Wrong: a nested list has no `sum`."""

import numpy as np


def clip_by_global_norm(grads, max_norm):
    norm = np.sqrt(sum((grad * grad).sum() for grad in grads))
    factor = max_norm / max(norm, max_norm)
    return [grad * factor for grad in grads], norm
