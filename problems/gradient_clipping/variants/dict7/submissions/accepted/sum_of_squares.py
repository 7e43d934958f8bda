"""NumPy: the squares of each tensor are summed, then the sums."""

import numpy as np


def clip_gradients(gradients, max_norm):
    norm = float(np.sqrt(sum(np.sum(gradient**2) for gradient in gradients)))
    factor = max_norm / norm if norm > max_norm else 1.0
    return {
        "clipped_gradients": [gradient * factor for gradient in gradients],
        "global_norm": round(norm, 7),
    }
