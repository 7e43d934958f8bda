"""NumPy: straight lines between the corners of the schedule."""

import numpy as np


def learning_rates(steps, peak, floor, warmup, total):
    corners = {0: 0.0, total: floor, warmup: peak}  # a later corner replaces an earlier one
    places = sorted(corners)
    rates = np.interp(steps, places, [corners[place] for place in places])
    return [rate if step <= total else floor for step, rate in zip(steps, rates.tolist())]
