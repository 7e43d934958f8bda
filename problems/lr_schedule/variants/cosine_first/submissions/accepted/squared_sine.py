"""The part that is left as a squared sine, one function for each part of the run."""

import math

import numpy as np


def cosine_schedule(steps, lr_max, lr_min, warmup_steps, total_steps):
    def rising(count):
        return lr_max * (count / warmup_steps)

    def falling(count):
        left = (total_steps - count) / (total_steps - warmup_steps)
        return lr_min + (lr_max - lr_min) * math.sin(math.pi / 2 * left) ** 2

    def rate(count):
        if count > total_steps:
            return lr_min
        return rising(count) if count <= warmup_steps else falling(count)

    return np.array([rate(step + 1) for step in steps])
