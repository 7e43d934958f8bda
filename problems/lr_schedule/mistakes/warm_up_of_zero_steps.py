"""A warm-up of zero steps was not expected

With a warm-up of 0 steps, the first step is at its end already, and 0 / 0 was computed. Ask first
whether there is a warm-up at all (`warmup > 0`), or use a condition that is never true then.
"""

import math

NOT_IN = (
    "cosine_first",
    "linear_rounded",
)  # their first step counts as 1, which is past an empty warm-up


def mistake(steps, peak, floor, warmup, total, first=0, shape="linear"):
    rates = []
    for step in steps:
        count = step + first
        if count <= warmup:
            rates.append(float(peak * count / warmup))
            continue
        gone = min(1.0, (count - warmup) / max(1, total - warmup))
        share = 1.0 - gone if shape == "linear" else math.sin(math.pi / 2 * (1.0 - gone)) ** 2
        rates.append(float(floor + (peak - floor) * share))
    return {"rates": rates}
