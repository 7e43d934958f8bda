"""Wrong: arrays where nested lists are asked for."""

import numpy as np


def ema_by_hand(params, updates, decay):
    correction = 1 - decay ** len(updates) if updates else 1.0
    averages = {}
    for layer, tensors in params.items():
        averages[layer] = {}
        for name, tensor in tensors.items():
            current = np.array(tensor, dtype=float)
            average = 0.0 * current if updates else current
            for update in updates:
                current = current + np.array(update[layer][name])
                average = decay * average + (1 - decay) * current
            averages[layer][name] = np.round(average / correction, 6)
    return averages, round(correction, 6)
