"""The decay was counted from the first step

The decay begins after the warm-up, and the steps of the warm-up do not belong to it: of `total -
warmup` steps, `count - warmup` are gone. Here it runs over the whole run, so that the rate falls
before the peak has been used, and jumps down at the end of the warm-up.
"""

import math


def mistake(steps, peak, floor, warmup, total, first=0, shape="linear"):
    rates = []
    for step in steps:
        count = step + first
        if 0 < warmup and count <= warmup:
            rates.append(float(peak * count / warmup))
            continue
        gone = min(1.0, count / total)
        share = 1.0 - gone if shape == "linear" else math.sin(math.pi / 2 * (1.0 - gone)) ** 2
        rates.append(float(floor + (peak - floor) * share))
    return {"rates": rates}
