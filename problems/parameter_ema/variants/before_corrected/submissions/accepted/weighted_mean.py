"""Another order of summation: the whole history of a tensor, and a weighted mean of it."""

import math

import numpy as np


def corrected_average(params, updates, decay):
    steps = len(updates)
    weights = [(1 - decay) * decay ** (steps - 1 - step) for step in range(steps)]

    def average(tensor, changes):
        if not changes:
            return tensor
        history = np.cumsum([tensor, *changes[:-1]], axis=0)
        return np.average(history, axis=0, weights=weights)

    return {
        "average": {
            layer: {
                name: average(tensor, [update[layer][name] for update in updates])
                for name, tensor in tensors.items()
            }
            for layer, tensors in params.items()
        },
        "correction": math.fsum(weights) if weights else 1.0,
    }
