"""NumPy: the rates are filled in part by part."""

import numpy as np


def schedule(steps, peak, floor, warmup, total):
    counts = np.array(steps) + 1
    rates = np.full(len(steps), float(floor))
    rising = counts <= warmup
    falling = (counts > warmup) & (counts < total)
    rates[rising] = peak * counts[rising] / warmup
    rates[falling] += (peak - floor) * (total - counts[falling]) / (total - warmup)
    return {"rates": np.round(rates, 6).tolist()}
