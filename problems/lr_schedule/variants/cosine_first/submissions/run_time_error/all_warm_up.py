"""Wrong: no steps may be left for the decay."""

import math

import numpy as np


def cosine_schedule(steps, lr_max, lr_min, warmup_steps, total_steps):
    rates = []
    for count in np.add(steps, 1).tolist():
        if count <= warmup_steps:
            rates.append(lr_max * count / warmup_steps)
        else:
            gone = min(1.0, (count - warmup_steps) / (total_steps - warmup_steps))
            rates.append(lr_min + (lr_max - lr_min) * (1 + math.cos(math.pi * gone)) / 2)
    return np.array(rates)
