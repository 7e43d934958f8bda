"""All steps for one tensor, then the next tensor."""

import numpy as np


def average_parameters(params, updates, decay):
    averages = {}
    for layer, tensors in params.items():
        averages[layer] = {}
        for name, tensor in tensors.items():
            current = np.array(tensor, dtype=float)
            average = current.copy()
            for update in updates:
                current += update[layer][name]
                average += (1 - decay) * (current - average)
            averages[layer][name] = average
    return averages
