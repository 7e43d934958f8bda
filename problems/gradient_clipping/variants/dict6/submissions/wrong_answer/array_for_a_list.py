"""Wrong: an array where a list is asked for."""

import numpy as np


def grad_clip_by_norm(grads, max_norm):
    vector = np.array(grads, dtype=float)
    norm = float(np.linalg.norm(vector))
    if norm > max_norm:
        vector = vector * (max_norm / norm)
    return {"clipped_grads": np.round(vector, 6), "global_norm": round(norm, 6)}
