"""Wrong: shrinks the gradients step by step, and no number of steps reaches a limit of zero."""

import numpy as np


def clip_gradients(gradients, max_norm):
    norm = float(np.sqrt(sum(np.sum(gradient**2) for gradient in gradients)))
    factor = 1.0 if norm <= max_norm else max_norm / norm
    shrunk = norm
    while shrunk > max_norm:
        shrunk = max(shrunk * 0.5, 1e-300)
    return {
        "clipped_gradients": [gradient * factor for gradient in gradients],
        "global_norm": round(norm, 7),
    }
