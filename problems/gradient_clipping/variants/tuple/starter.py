import numpy as np


def clip_by_global_norm(grads, max_norm):
    """Scale the gradients so that their global L2 norm is at most max_norm.

    grads     list of arrays or nested lists of numbers, any shapes
    max_norm  positive number

    Returns (clipped, norm): a list of float arrays in the shapes of grads,
    and the norm of grads before clipping as a float.
    """
    # Your code here.
