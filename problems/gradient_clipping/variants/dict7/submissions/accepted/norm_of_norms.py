"""The norm of the tensors' own norms."""

import numpy as np


def clip_gradients(gradients, max_norm):
    norm = np.linalg.norm([np.linalg.norm(gradient) for gradient in gradients])
    share = max_norm / norm if norm > max_norm else 1.0
    clipped = tuple(np.multiply(gradient, share) for gradient in gradients)
    return {"clipped_gradients": list(clipped), "global_norm": np.round(norm, 7)}
