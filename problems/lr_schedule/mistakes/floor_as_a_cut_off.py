"""The floor was used as a cut-off

The rate decays towards zero and is cut off at the floor, which it reaches too early. The decay
has to be stretched so that it arrives at the floor with the last step: `floor + (peak - floor) *
share`.
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
        rates.append(float(max(floor, peak * share)))
    return {"rates": rates}
