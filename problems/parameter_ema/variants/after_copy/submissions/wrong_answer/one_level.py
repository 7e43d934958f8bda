"""Wrong: one flat dict in place of a dict of dicts."""


def average_parameters(params, updates, decay):
    averages = {}
    for layer, tensors in params.items():
        for name, tensor in tensors.items():
            average = current = tensor * 1.0
            for update in updates:
                current = current + update[layer][name]
                average = decay * average + (1 - decay) * current
            averages[f"{layer}.{name}"] = average
    return averages
