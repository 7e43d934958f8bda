"""Counted from the wrong first step

The first step counts as 0 here: its rate is zero and the peak is reached at step `warmup`. Use
the index as it is, without adding 1.
"""

import math

NOT_IN = ("cosine_first", "linear_rounded")  # there the first step does count as 1


def mistake(steps, peak, floor, warmup, total, first=0, shape="linear"):
    rates = []
    for step in steps:
        count = step + 1
        if 0 < warmup and count <= warmup:
            rates.append(float(peak * count / warmup))
            continue
        gone = min(1.0, (count - warmup) / max(1, total - warmup))
        share = 1.0 - gone if shape == "linear" else math.sin(math.pi / 2 * (1.0 - gone)) ** 2
        rates.append(float(floor + (peak - floor) * share))
    return {"rates": rates}
