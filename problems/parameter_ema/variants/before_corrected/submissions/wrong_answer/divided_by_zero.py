"""Wrong: without a step, zero is divided by zero; NumPy makes NaN of it."""

import numpy as np


def corrected_average(params, updates, decay):
    correction = np.float64(1 - decay ** len(updates))
    averages = {}
    for layer, tensors in params.items():
        averages[layer] = {}
        for name, current in tensors.items():
            average = 0.0 * current
            for update in updates:
                average = decay * average + (1 - decay) * current
                current = current + update[layer][name]
            averages[layer][name] = average / correction
    return {"average": averages, "correction": correction}
