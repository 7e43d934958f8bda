"""A loop with math.cos."""

import math

import numpy as np


def cosine_schedule(steps, lr_max, lr_min, warmup_steps, total_steps):
    rates = []
    for step in steps:
        count = step + 1
        if count <= warmup_steps:
            rates.append(lr_max * count / warmup_steps)
        elif count >= total_steps:
            rates.append(lr_min)
        else:
            gone = (count - warmup_steps) / (total_steps - warmup_steps)
            rates.append(lr_min + (lr_max - lr_min) * (1 + math.cos(math.pi * gone)) / 2)
    return np.array(rates)
