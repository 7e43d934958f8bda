"""Wrong: every vector is clipped by its own norm."""

import numpy as np


def clip_gradients(grads, max_norm):
    norms = [np.linalg.norm(grad) for grad in grads]
    return [grad * (max_norm / max(norm, max_norm)) for grad, norm in zip(grads, norms)]
