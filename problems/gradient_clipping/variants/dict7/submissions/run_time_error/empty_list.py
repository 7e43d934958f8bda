"""Wrong: np.concatenate refuses an empty list."""

import numpy as np


def clip_gradients(gradients, max_norm):
    flat = np.concatenate([gradient.ravel() for gradient in gradients])
    norm = float(np.sqrt(np.sum(flat**2)))
    factor = max_norm / norm if norm > max_norm else 1.0
    return {
        "clipped_gradients": [gradient * factor for gradient in gradients],
        "global_norm": round(norm, 7),
    }
