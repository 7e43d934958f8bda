"""The decay was spread over all steps

The steps since the warm-up were divided by the length of the whole run, so that the rate jumps down to
the floor at the end. Only `total - warmup` steps are left for the decay.
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
            rates.append(decayed((count - warmup) / total))
    return {"rates": rates}
