"""The decay was counted from the first step

The length of the decay is right, `total - warmup`, but the steps of the warm-up were counted as if they
belonged to it. After the warm-up, `count - warmup` steps of decay are gone.
"""

import math


def mistake(steps, peak, floor, warmup, total, first=0, shape="linear"):
    def decayed(gone):
        share = 1.0 - gone if shape == "linear" else (1.0 + math.cos(math.pi * gone)) / 2
        return float(floor + (peak - floor) * share)

    rates = []
    for step in steps:
        count = step + first
        if 0 < warmup and count <= warmup:
            rates.append(float(peak * count / warmup))
        elif count >= total:
            rates.append(float(floor))
        else:
            rates.append(decayed(min(1.0, count / (total - warmup))))
    return {"rates": rates}
