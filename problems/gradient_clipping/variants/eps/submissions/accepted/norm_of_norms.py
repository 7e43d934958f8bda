"""The norm of the arrays' own norms."""

import numpy as np


def clip_grad_norm(grads, max_norm, eps=1e-6):
    norm = np.linalg.norm([np.linalg.norm(grad) for grad in grads])
    share = max_norm / max(norm + eps, max_norm)
    return [[np.multiply(grad, share).tolist() for grad in grads], norm]
