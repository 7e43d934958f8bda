"""Arrays of pseudo-random entries from integers alone, so that every machine makes the same ones."""

import random

import numpy as np

# 16 random bits, centred and divided by a power of two: exact, between -32 and 32.
CENTRE = 1 << 15
UNIT = 1024


def generate(seed, shapes, limit):
    """Inputs with one float64 array for each of `shapes`, entries uniform on multiples of 1/1024."""
    rng = random.Random(seed)
    return {"tensors": [entries(rng, shape) for shape in shapes], "limit": limit}


def entries(rng, shape):
    count = 1
    for length in shape:
        count *= length
    steps = [rng.getrandbits(16) - CENTRE for _ in range(count)]
    return np.array(steps, dtype=np.float64).reshape(shape) / UNIT
