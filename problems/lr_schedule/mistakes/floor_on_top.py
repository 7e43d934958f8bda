"""The floor was added on top

The floor was added to a decay from the full peak to zero, so that the rate after the warm-up is
above the peak. What decays is only the difference `peak - floor`.
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
        rates.append(float(floor + peak * share))
    return {"rates": rates}
