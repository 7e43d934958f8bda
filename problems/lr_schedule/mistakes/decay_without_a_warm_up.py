"""The warm-up is missing

The rate decays from the first step on, over the whole run. For the first `warmup` steps it has to grow in
a straight line; the decay shares out only the steps that are left.
"""

import math


def mistake(steps, peak, floor, warmup, total, first=0, shape="linear"):
    def decayed(gone):
        share = 1.0 - gone if shape == "linear" else (1.0 + math.cos(math.pi * gone)) / 2
        return float(floor + (peak - floor) * share)

    rates = []
    for step in steps:
        count = step + first
        rates.append(decayed(min(1.0, count / total)))
    return {"rates": rates}
