"""Wrong: averages before each step."""


def average_parameters(params, updates, decay):
    averages = {}
    for layer, tensors in params.items():
        averages[layer] = {}
        for name, tensor in tensors.items():
            average = current = tensor * 1.0
            for update in updates:
                average = decay * average + (1 - decay) * current
                current = current + update[layer][name]
            averages[layer][name] = average
    return averages
