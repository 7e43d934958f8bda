"""The same in exact rational arithmetic."""

from fractions import Fraction


def check(values, weights, offset):
    weights = [Fraction(float(w)) for w in weights]
    total = sum(weights) + Fraction(offset)
    mean = sum(Fraction(float(v)) * w for v, w in zip(values, weights)) / total
    return {"mean": float(mean), "total": float(total)}
