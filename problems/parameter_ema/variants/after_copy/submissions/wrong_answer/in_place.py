"""Wrong: adds the updates to the caller's own arrays."""

import numpy as np


def average_parameters(params, updates, decay):
    averages = {}
    for layer, tensors in params.items():
        averages[layer] = {}
        for name, tensor in tensors.items():
            average = tensor * 1.0
            for update in updates:
                np.add(tensor, update[layer][name], out=tensor, casting="unsafe")
                average = decay * average + (1 - decay) * tensor
            averages[layer][name] = average
    return averages
