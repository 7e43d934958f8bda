"""Keeps the sum of the weights beside the average, and divides by it."""

import numpy as np


def corrected_average(params, updates, decay):
    averages, correction = {}, 1.0
    for layer, tensors in params.items():
        averages[layer] = {}
        for name, tensor in tensors.items():
            current = np.array(tensor, dtype=float)
            average = weight = 0.0
            for update in updates:
                average = decay * average + (1 - decay) * current
                weight = decay * weight + (1 - decay)
                current = current + update[layer][name]
            if updates:
                averages[layer][name], correction = average / weight, weight
            else:
                averages[layer][name] = current
    return {"average": averages, "correction": correction}
