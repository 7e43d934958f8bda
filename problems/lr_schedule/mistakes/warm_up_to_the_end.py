"""A run that is all warm-up was not expected

If the warm-up fills the whole run, `total - warmup` is 0 and cannot be divided by. No steps are
left for a decay then: past the end, the rate is the floor.
"""

import math


def mistake(steps, peak, floor, warmup, total, first=0, shape="linear"):
    rates = []
    for step in steps:
        count = step + first
        if 0 < warmup and count <= warmup:
            rates.append(float(peak * count / warmup))
            continue
        gone = min(1.0, (count - warmup) / (total - warmup))
        share = 1.0 - gone if shape == "linear" else math.sin(math.pi / 2 * (1.0 - gone)) ** 2
        rates.append(float(floor + (peak - floor) * share))
    return {"rates": rates}
