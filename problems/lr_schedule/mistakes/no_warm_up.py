"""The warm-up is missing

The rate is at the peak from the first step on. For the first `warmup` steps it has to grow in a
straight line, and only then does the decay begin.
"""

import math


def mistake(steps, peak, floor, warmup, total, first=0, shape="linear"):
    rates = []
    for step in steps:
        count = step + first
        if count < warmup:
            rates.append(float(peak))
            continue
        gone = min(1.0, (count - warmup) / max(1, total - warmup))
        share = 1.0 - gone if shape == "linear" else math.sin(math.pi / 2 * (1.0 - gone)) ** 2
        rates.append(float(floor + (peak - floor) * share))
    return {"rates": rates}
