"""The same answers by exact rational arithmetic: no floating-point operation before the last one."""

import math
from fractions import Fraction

import numpy as np

EXTRA_BITS = 256  # precision of the root, relative; a float64 has 53


def check(tensors, limit, eps=0.0):
    """Outputs of the core from integers alone; meant for at most 10^4 entries.

    Every float64 is a fraction, so the sum of squares is exact. The root is cut after 256 bits.
    Each result is rounded to float64 once, at the end: half a unit in the last place.
    """
    arrays = [np.asarray(tensor) for tensor in tensors]
    exact = [[Fraction(entry) for entry in array.ravel().tolist()] for array in arrays]
    norm = root(sum_of_squares(entry for entries in exact for entry in entries))
    reach = norm + Fraction(eps)
    factor = Fraction(limit) / reach if reach > Fraction(limit) else Fraction(1)
    clipped = [
        np.array([float(entry * factor) for entry in entries]).reshape(array.shape)
        for entries, array in zip(exact, arrays, strict=True)
    ]
    return {"clipped": clipped, "norm": float(norm)}


def sum_of_squares(entries):
    """Exact sum over a common denominator, which for float64 is a power of two."""
    squares = [entry * entry for entry in entries]
    denominator = max((square.denominator for square in squares), default=1)
    total = sum(square.numerator * (denominator // square.denominator) for square in squares)
    return Fraction(total, denominator)


def root(number):
    """Square root of a fraction >= 0, cut to `EXTRA_BITS` significant bits or more."""
    shortfall = max(0, number.denominator.bit_length() - number.numerator.bit_length())
    shift = EXTRA_BITS + shortfall // 2 + 1
    return Fraction(math.isqrt((number.numerator << 2 * shift) // number.denominator), 1 << shift)
