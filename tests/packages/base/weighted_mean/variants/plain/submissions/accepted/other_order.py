# Divides first, sums from the end.
import math


def weighted_mean(values, weights):
    total = math.fsum(weights)
    return math.fsum(v * (w / total) for v, w in reversed(list(zip(values, weights))))
