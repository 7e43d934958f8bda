"""Counted from the wrong first step

The first step counts as 1 here: its rate is one part of the peak, not zero, and the peak is
reached one step earlier. Add 1 to the index before anything else is computed from it.
"""

import math

NOT_IN = ("linear_zero",)  # there the first step does count as 0


def mistake(steps, peak, floor, warmup, total, first=0, shape="linear"):
    rates = []
    for step in steps:
        count = step
        if 0 < warmup and count <= warmup:
            rates.append(float(peak * count / warmup))
            continue
        gone = min(1.0, (count - warmup) / max(1, total - warmup))
        share = 1.0 - gone if shape == "linear" else math.sin(math.pi / 2 * (1.0 - gone)) ** 2
        rates.append(float(floor + (peak - floor) * share))
    return {"rates": rates}
