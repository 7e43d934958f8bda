"""Wrong: looks for each entry's square among all pairs of entries; a million entries have 10^12."""

import numpy as np


def clip_by_global_norm(grads, max_norm):
    entries = [entry for grad in grads for entry in np.ravel(grad).tolist()]
    total = 0.0
    for i, left in enumerate(entries):
        for j, right in enumerate(entries):
            if i == j:
                total += left * right
    norm = total**0.5
    return [np.asarray(grad) * (max_norm / max(norm, max_norm)) for grad in grads], norm
