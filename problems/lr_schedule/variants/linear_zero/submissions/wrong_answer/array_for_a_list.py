"""Wrong: an array where a list is asked for."""

import numpy as np


def learning_rates(steps, peak, floor, warmup, total):
    if warmup == 0:
        return np.interp(steps, [0, total], [peak, floor])
    return np.interp(steps, [0, warmup, total], [0.0, peak, floor])
