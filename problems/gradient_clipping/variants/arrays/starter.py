import numpy as np


def clip_gradients(grads, max_norm):
    """Scale gradient vectors so that their joint L2 norm is at most max_norm.

    grads     list of 1-D arrays
    max_norm  positive number

    Returns a list of 1-D arrays of the same lengths.
    """
    # Your code here.
