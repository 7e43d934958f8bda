"""The rate is not held past the end

Past the end of the run the share of what is left goes on below zero: a straight line falls under the
floor, and a cosine comes up again. Only a run without a decay has its floor here. Limit the part that is
gone to 1, for example with `min(1, ...)`.
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
        elif total == warmup:
            rates.append(float(floor))
        else:
            rates.append(decayed((count - warmup) / (total - warmup)))
    return {"rates": rates}
