"""The learning rate at given steps: a linear warm-up to a peak, then a decay to a floor."""

import math


def core(steps, peak, floor, warmup, total, first=0, shape="linear"):
    """Learning rates of a schedule, without avoidable rounding.

    steps   list of step indices, whole numbers >= 0, in any order
    peak    largest rate, reached at the end of the warm-up; > 0
    floor   rate at the end of the run and ever after; 0 <= floor <= peak
    warmup  number of warm-up steps, 0 <= warmup <= total
    total   number of steps of the whole run, >= 1
    first   count of the very first step: 0 (its warm-up rate is zero) or 1 (one part of the peak)
    shape   "linear" or "cosine": the way from peak to floor

    Returns `rates`, one float for each step. The cosine is taken as a squared sine of the part that
    is left, which keeps its relative accuracy near the end, where 1 + cos loses it.
    """
    return {"rates": [rate(step + first, peak, floor, warmup, total, shape) for step in steps]}


def rate(count, peak, floor, warmup, total, shape):
    if 0 < warmup and count <= warmup:
        return float(peak * (count / warmup))
    if count >= total:
        return float(floor)
    left = (total - count) / (total - warmup)  # 1 after the warm-up, 0 at the end
    if shape == "cosine":
        left = math.sin(math.pi / 2 * left) ** 2
    return float(floor + (peak - floor) * left)
