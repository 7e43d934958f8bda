"""The reference: the weighted mean, and the total weight."""

import math


def core(values, weights, offset):
    total = math.fsum(float(w) for w in weights) + offset
    mean = math.fsum(float(v) * float(w) for v, w in zip(values, weights)) / total
    return {"mean": mean, "total": total}
