"""The decay begins one step early

The last step of the warm-up belongs to the decay here, and the peak is never reached. The warm-up goes up
to and including the step that counts as `warmup`; from there the decay is measured.
"""

import math


def mistake(steps, peak, floor, warmup, total, first=0, shape="linear"):
    def decayed(gone):
        share = 1.0 - gone if shape == "linear" else (1.0 + math.cos(math.pi * gone)) / 2
        return float(floor + (peak - floor) * share)

    rates = []
    for step in steps:
        count = step + first
        if count < warmup:
            rates.append(float(peak * count / warmup))
        elif count >= total:
            rates.append(float(floor))
        else:
            rates.append(decayed((count - warmup + 1) / (total - warmup + 1)))
    return {"rates": rates}
