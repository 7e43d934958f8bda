"""The warm-up starts from the floor

The warm-up grows from zero to the peak, in equal parts of the peak. The floor belongs to the end
of the run only.
"""

import math


def mistake(steps, peak, floor, warmup, total, first=0, shape="linear"):
    rates = []
    for step in steps:
        count = step + first
        if 0 < warmup and count <= warmup:
            rates.append(float(floor + (peak - floor) * count / warmup))
            continue
        gone = min(1.0, (count - warmup) / max(1, total - warmup))
        share = 1.0 - gone if shape == "linear" else math.sin(math.pi / 2 * (1.0 - gone)) ** 2
        rates.append(float(floor + (peak - floor) * share))
    return {"rates": rates}
