"""Plain Python, another order of summation: every update with the weight that is left for it."""

import math


def ema_by_hand(params, updates, decay):
    steps = len(updates)
    correction = 1 - decay**steps if updates else 1.0
    shares = [(1 - decay ** (steps - step)) / correction for step in range(steps)]

    def averaged(value, changes):
        if isinstance(value, dict):
            return {key: averaged(value[key], [change[key] for change in changes]) for key in value}
        if isinstance(value, list):
            return [averaged(item, [c[i] for c in changes]) for i, item in enumerate(value)]
        parts = [share * change for share, change in zip(shares, changes)]
        return round(math.fsum([value, *parts]), 6)

    return averaged(params, updates), round(correction, 6)
