"""The cosine runs over a quarter of a wave

The angle goes to half of pi only, so the rate ends in the middle between peak and floor and stays
there. The share that is left is half of 1 + cos, with an angle from 0 to pi.
"""

import math

NOT_IN = ("linear_zero", "linear_rounded")  # no cosine there


def mistake(steps, peak, floor, warmup, total, first=0, shape="linear"):
    def decayed(gone):
        share = 1.0 - gone if shape == "linear" else (1.0 + math.cos(math.pi * gone)) / 2
        return float(floor + (peak - floor) * share)

    rates = []
    for step in steps:
        count = step + first
        if 0 < warmup and count <= warmup:
            rates.append(float(peak * count / warmup))
            continue
        gone = min(1.0, (count - warmup) / max(1, total - warmup)) if count < total else 1.0
        rates.append(decayed(gone / 2))
    return {"rates": rates}
