import numpy as np

EPS = 1e-6


def clip_grad_norm(grads, max_norm):
    """Clip arrays by their global L2 norm N, with EPS added to N.

    grads     list of 1 to 1000 arrays, any shapes
    max_norm  positive number

    Returns [clipped, N]: nested lists in the shapes of grads, and the norm
    before clipping.
    """
    # Your code here.
