"""The other shape of decay

The way from the peak to the floor has another shape than the statement asks for: a straight line
where a half wave of a cosine is asked for, or the reverse. Both begin and end at the same rates
and meet half way.
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
        share = math.sin(math.pi / 2 * (1.0 - gone)) ** 2 if shape == "linear" else 1.0 - gone
        rates.append(float(floor + (peak - floor) * share))
    return {"rates": rates}
