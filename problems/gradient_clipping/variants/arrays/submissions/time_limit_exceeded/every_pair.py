"""Wrong: squares the sum by going through every pair of entries: a million entries have 10^12."""

import numpy as np


def clip_gradients(grads, max_norm):
    entries = [entry for grad in grads for entry in grad.tolist()]
    total = 0.0
    for i, left in enumerate(entries):
        for j, right in enumerate(entries):
            if i == j:
                total += left * right
    factor = max_norm / max(total**0.5, max_norm)
    return [np.asarray(grad) * factor for grad in grads]
