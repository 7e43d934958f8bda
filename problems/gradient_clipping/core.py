"""Scale a list of gradient tensors so that their joint L2 norm does not exceed a limit."""

import math

import numpy as np


def core(tensors, limit, eps=0.0):
    """Clip `tensors` by their global L2 norm, without avoidable rounding.

    tensors  list of arrays, nested lists or numbers, any shapes; may be empty
    limit    largest norm allowed, finite, >= 0
    eps      added to the norm, both where it is compared and where it divides; >= 0

    Returns `clipped`, float64 arrays in the order and shapes of `tensors`, and `norm`, the norm
    before clipping, as a float. `math.hypot` scales before it squares and compensates its sum, so
    the norm is within one unit in the last place at any magnitude; each clipped entry is within
    two more (one for the factor, one for the product).
    """
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    entries = [entry for array in arrays for entry in array.ravel().tolist()]
    norm = math.hypot(*entries)
    # The sum exceeds a limit >= 0 here, so it is positive: nothing divides by zero.
    factor = limit / (norm + eps) if norm + eps > limit else 1.0
    # A 0-d array times a number is a NumPy scalar; np.array makes it an array again.
    return {"clipped": [np.array(array * factor) for array in arrays], "norm": norm}
