"""Losses of a long run: a slow fall, noise, and then a plateau, all in multiples of 1/1024."""

import random


def generate(seed, count, falling, noise, patience, min_delta):
    """Inputs with `count` losses that fall by about one unit an epoch for `falling` epochs.

    `noise` is the largest deviation, in units of 1/1024. All differences are exact in float64.
    """
    rng = random.Random(seed)
    level = 4 * falling
    losses = []
    for epoch in range(count):
        if epoch < falling:
            level -= rng.randrange(4)
        losses.append((level + rng.randrange(-noise, noise + 1)) / 1024)
    return {"losses": losses, "patience": patience, "min_delta": min_delta}
