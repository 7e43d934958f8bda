"""Wrong: a fraction cannot be added to an integer array in place."""


def average_parameters(params, updates, decay):
    averages = {}
    for layer, tensors in params.items():
        averages[layer] = {}
        for name, tensor in tensors.items():
            current, average = tensor.copy(), tensor * 1.0
            for update in updates:
                current += update[layer][name]
                average = decay * average + (1 - decay) * current
            averages[layer][name] = average
    return averages
