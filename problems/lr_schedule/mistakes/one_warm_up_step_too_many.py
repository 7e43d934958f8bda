"""The warm-up is one step too long

The warm-up was divided into one part too many, so that the peak is not reached when it ends. With
`warmup` steps, each adds `peak / warmup`.
"""

import math


def mistake(steps, peak, floor, warmup, total, first=0, shape="linear"):
    rates = []
    for step in steps:
        count = step + first
        if 0 < warmup and count <= warmup:
            rates.append(float(peak * count / (warmup + 1)))
            continue
        gone = min(1.0, (count - warmup) / max(1, total - warmup))
        share = 1.0 - gone if shape == "linear" else math.sin(math.pi / 2 * (1.0 - gone)) ** 2
        rates.append(float(floor + (peak - floor) * share))
    return {"rates": rates}
