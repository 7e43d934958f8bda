"""NumPy: all steps at once, with masks."""

import numpy as np


def cosine_schedule(steps, lr_max, lr_min, warmup_steps, total_steps):
    counts = np.array(steps) + 1.0
    rates = np.full(counts.shape, float(lr_min))
    rising = counts <= warmup_steps
    falling = ~rising & (counts < total_steps)
    rates[rising] = lr_max * counts[rising] / warmup_steps
    gone = (counts[falling] - warmup_steps) / (total_steps - warmup_steps)
    rates[falling] += 0.5 * (lr_max - lr_min) * (1 + np.cos(np.pi * gone))
    return rates
