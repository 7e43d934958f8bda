"""NumPy from end to end."""

import numpy as np


def grad_clip_by_norm(grads, max_norm):
    vector = np.array(grads, dtype=float)
    norm = np.linalg.norm(vector)
    if norm > max_norm:
        vector = vector / (norm / max_norm)
    return {
        "clipped_grads": np.round(vector, 6).tolist(),
        "global_norm": round(float(norm), 6),
    }
