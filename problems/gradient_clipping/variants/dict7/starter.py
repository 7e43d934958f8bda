import numpy as np


def clip_gradients(gradients, max_norm):
    """Clip a list of float arrays by their global L2 norm, and report the norm.

    gradients  list of arrays of any shapes; may be empty; must not be changed
    max_norm   number >= 0

    Returns {"clipped_gradients": [arrays], "global_norm": norm}, with the
    norm before clipping, rounded to 7 places.
    """
    # Your code here.
