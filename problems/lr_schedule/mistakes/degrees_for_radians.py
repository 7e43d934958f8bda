"""The angle lacks its factor of pi

`math.cos` and `np.cos` take radians, and the angle has to run from 0 to pi. Here it runs from 0
to 1, so the cosine hardly moves.
"""

import math

NOT_IN = ("linear_zero", "linear_rounded")  # no cosine there


def mistake(steps, peak, floor, warmup, total, first=0, shape="linear"):
    rates = []
    for step in steps:
        count = step + first
        if 0 < warmup and count <= warmup:
            rates.append(float(peak * count / warmup))
            continue
        gone = min(1.0, (count - warmup) / max(1, total - warmup))
        share = 1.0 - gone if shape == "linear" else (1.0 + math.cos(gone)) / 2
        rates.append(float(floor + (peak - floor) * share))
    return {"rates": rates}
