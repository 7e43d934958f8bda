"""Another order of summation: adds up what every single step changes."""

import math


def learning_rates(steps, peak, floor, warmup, total):
    return [rate(step, peak, floor, warmup, total) for step in steps]


def rate(step, peak, floor, warmup, total):
    if step > total:
        return floor
    if 0 < warmup and step <= warmup:
        return math.fsum(peak / warmup for _ in range(step))
    fall = (peak - floor) / (total - warmup)
    return peak - math.fsum(fall for _ in range(warmup, step))
