"""Wrong: the caller's arrays are scaled."""

import numpy as np


def clip_gradients(gradients, max_norm):
    norm = float(np.sqrt(sum(np.sum(gradient**2) for gradient in gradients)))
    if norm > max_norm:
        for gradient in gradients:
            gradient *= max_norm / norm
    return {"clipped_gradients": gradients, "global_norm": round(norm, 7)}
