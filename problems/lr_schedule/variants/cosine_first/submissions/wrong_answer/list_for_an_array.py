"""Wrong: a list where an array is asked for."""

import math


def cosine_schedule(steps, lr_max, lr_min, warmup_steps, total_steps):
    rates = []
    for step in steps:
        count = min(step + 1, total_steps) if step + 1 > warmup_steps else step + 1
        if count <= warmup_steps:
            rates.append(lr_max * count / warmup_steps)
        else:
            gone = (count - warmup_steps) / (total_steps - warmup_steps)
            rates.append(lr_min + (lr_max - lr_min) * (1 + math.cos(math.pi * gone)) / 2)
    return rates
