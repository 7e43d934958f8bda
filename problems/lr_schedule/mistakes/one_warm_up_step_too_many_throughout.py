"""The warm-up is one step too long

One was added to the number of warm-up steps, also where the decay begins. With `warmup` steps, each adds
`peak / warmup`, and the decay has `total - warmup`.
"""

import math


def mistake(steps, peak, floor, warmup, total, first=0, shape="linear"):
    def decayed(gone):
        share = 1.0 - gone if shape == "linear" else (1.0 + math.cos(math.pi * gone)) / 2
        return float(floor + (peak - floor) * share)

    rates = []
    for step in steps:
        count = step + first
        if count <= warmup + 1:
            rates.append(float(peak * count / (warmup + 1)))
        elif count >= total:
            rates.append(float(floor))
        else:
            rates.append(decayed((count - warmup - 1) / (total - warmup - 1)))
    return {"rates": rates}
