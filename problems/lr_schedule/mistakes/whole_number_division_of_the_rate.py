"""Whole numbers were divided with //

`//` cuts the fraction off, also of floats: `peak * count // warmup` is a whole number. Divide with `/`.
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
            rates.append(float(peak * count // warmup))
        elif count >= total:
            rates.append(float(floor))
        else:
            rates.append(decayed((count - warmup) / (total - warmup)))
    return {"rates": rates}
