"""Values of both signs with weights from 1/8 to 16."""

import random

import numpy as np


def generate(seed, count):
    draw = random.Random(seed)
    values = [draw.randint(-4000, 4000) / 16 for _ in range(count)]
    weights = [draw.randint(1, 128) / 8 for _ in range(count)]
    return {"values": np.array(values), "weights": np.array(weights)}
