"""Very many small arrays of different shapes."""

import random

import numpy as np

SHAPES = ((1,), (2,), (1, 1), (3,), (2, 1), (2, 2), (1, 2, 1))
UNIT = 512


def generate(seed, count, single, limit):
    """Inputs with `count` float64 arrays of at most four entries; of exactly one if `single`.

    Entries are multiples of 1/512 between -16 and 16.
    """
    rng = random.Random(seed)
    return {"tensors": [small(rng, single) for _ in range(count)], "limit": limit}


def small(rng, single):
    shape = (1,) if single else SHAPES[rng.randrange(len(SHAPES))]
    array = np.zeros(shape)
    for place in np.ndindex(shape):
        array[place] = (rng.getrandbits(14) - (1 << 13)) / UNIT
    return array
