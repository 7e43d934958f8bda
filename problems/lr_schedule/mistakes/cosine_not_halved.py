"""The cosine was not halved

1 + cos runs from 2 to 0. Half of it runs from 1 to 0, and that is the share of `peak - floor`
that is left. Without the half the rate begins far above the peak.
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
        share = 1.0 - gone if shape == "linear" else 1.0 + math.cos(math.pi * gone)
        rates.append(float(floor + (peak - floor) * share))
    return {"rates": rates}
