"""Wrong: the norm comes back with all its digits."""

import numpy as np


def clip_gradients(gradients, max_norm):
    norm = float(np.sqrt(sum(np.sum(gradient**2) for gradient in gradients)))
    factor = max_norm / norm if norm > max_norm else 1.0
    return {"clipped_gradients": [g * factor for g in gradients], "global_norm": norm}
