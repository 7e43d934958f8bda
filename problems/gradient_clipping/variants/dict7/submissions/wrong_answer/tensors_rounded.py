"""Wrong: the tensors are rounded too; only the norm should be."""

import numpy as np


def clip_gradients(gradients, max_norm):
    norm = float(np.sqrt(sum(np.sum(gradient**2) for gradient in gradients)))
    factor = max_norm / norm if norm > max_norm else 1.0
    clipped = [np.round(gradient * factor, 7) for gradient in gradients]
    return {"clipped_gradients": clipped, "global_norm": round(norm, 7)}
