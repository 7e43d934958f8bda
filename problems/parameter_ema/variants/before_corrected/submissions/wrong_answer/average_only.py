"""Wrong: the average without the dict around it."""


def corrected_average(params, updates, decay):
    averages = {}
    for layer, tensors in params.items():
        averages[layer] = {}
        for name, current in tensors.items():
            average, weight = 0.0 * current, 0.0
            for update in updates:
                average = decay * average + (1 - decay) * current
                weight = decay * weight + (1 - decay)
                current = current + update[layer][name]
            averages[layer][name] = average / weight if updates else current
    return averages
