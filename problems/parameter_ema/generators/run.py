"""A small model and many updates, all in multiples of 1/4096."""

import random

import numpy as np

SHAPES = {"encoder": {"weight": (3, 2), "bias": (2,)}, "head": {"weight": (2, 1, 2), "scale": ()}}


def generate(seed, steps, decay):
    """Inputs with `steps` updates of about a hundredth of the parameters they change."""
    rng = random.Random(seed)
    return {
        "start": model(rng, 4096),
        "updates": [model(rng, 64) for _ in range(steps)],
        "decay": decay,
    }


def model(rng, largest):
    return {
        layer: {name: entries(rng, shape, largest) for name, shape in tensors.items()}
        for layer, tensors in SHAPES.items()
    }


def entries(rng, shape, largest):
    array = np.zeros(shape)
    for place in np.ndindex(shape):
        array[place] = rng.randrange(-largest, largest + 1) / 4096
    return array
