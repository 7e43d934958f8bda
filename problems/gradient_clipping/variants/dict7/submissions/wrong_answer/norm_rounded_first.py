"""Wrong: the rounded norm is compared and divided by."""

import numpy as np


def clip_gradients(gradients, max_norm):
    norm = round(float(np.sqrt(sum(np.sum(gradient**2) for gradient in gradients))), 7)
    factor = max_norm / norm if norm > max_norm else 1.0
    return {"clipped_gradients": [g * factor for g in gradients], "global_norm": norm}
