"""Wrong: the floor is added to a decay from the full peak."""

import numpy as np


def cosine_schedule(steps, lr_max, lr_min, warmup_steps, total_steps):
    counts = np.add(steps, 1)
    gone = np.clip((counts - warmup_steps) / max(1, total_steps - warmup_steps), 0, 1)
    falling = lr_min + lr_max * (1 + np.cos(np.pi * gone)) / 2
    return np.where(counts <= warmup_steps, lr_max * counts / max(1, warmup_steps), falling)
