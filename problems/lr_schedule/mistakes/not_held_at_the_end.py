"""The rate is not held past the end

Past the end of the run the share of what is left goes on below zero: a straight line falls under
the floor, and a cosine comes up again. Limit the part that is gone to 1, for example with `min(1,
...)`.
"""

import math


def mistake(steps, peak, floor, warmup, total, first=0, shape="linear"):
    rates = []
    for step in steps:
        count = step + first
        if 0 < warmup and count <= warmup:
            rates.append(float(peak * count / warmup))
            continue
        gone = (count - warmup) / max(1, total - warmup)
        share = 1.0 - gone if shape == "linear" else (1.0 + math.cos(math.pi * gone)) / 2
        rates.append(float(floor + (peak - floor) * share))
    return {"rates": rates}
