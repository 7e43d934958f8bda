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
    the norm is within one unit in the last place at any magnitude. A clipped entry is multiplied
    before it is divided, which adds half a unit each and gives 3 * 1 / 5 as 0.6.
    """
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    entries = [entry for array in arrays for entry in array.ravel().tolist()]
    norm = math.hypot(*entries)
    numerator, denominator = 1.0, 1.0
    if norm + eps > limit:
        # Positive, as it exceeds a limit >= 0: nothing divides by zero. Taking its power of two
        # out of both is exact, and then no product overflows or underflows before its quotient.
        denominator, exponent = math.frexp(norm + eps)
        numerator = math.ldexp(limit, -exponent)
    # A 0-d array times a number is a NumPy scalar; np.array makes it an array again.
    clipped = [np.array(array * numerator / denominator) for array in arrays]
    return {"clipped": clipped, "norm": norm}
