"""The cosine runs over a quarter of a wave

The angle goes to a quarter of a full turn only, so the rate falls slowly at first and hits the
floor at full speed. The share that is left is half of 1 + cos, with an angle from 0 to pi.
"""

import math

NOT_IN = ("linear_zero", "linear_rounded")  # no cosine there


def mistake(steps, peak, floor, warmup, total, first=0, shape="linear"):
    rates = []
    for step in steps:
        count = step + first
        if 0 < warmup and count <= warmup:
            rates.append(float(peak * count / warmup))
            continue
        gone = min(1.0, (count - warmup) / max(1, total - warmup))
        share = 1.0 - gone if shape == "linear" else math.cos(math.pi / 2 * gone)
        rates.append(float(floor + (peak - floor) * share))
    return {"rates": rates}
