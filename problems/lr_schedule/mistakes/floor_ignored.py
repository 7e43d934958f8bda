"""The floor was ignored

The rate decays to zero. It has to end at the floor: take the floor, and add the part that is left
of `peak - floor`.
"""

import math


def mistake(steps, peak, floor, warmup, total, first=0, shape="linear"):
    rates = []
    for step in steps:
        count = step + first
        if 0 < warmup and count <= warmup:
            rates.append(float(peak * count / warmup))
            continue
        gone = min(1.0, (count - warmup) / max(1, total - warmup))
        share = 1.0 - gone if shape == "linear" else math.sin(math.pi / 2 * (1.0 - gone)) ** 2
        rates.append(float(peak * share))
    return {"rates": rates}
