"""Wrong: lists cannot be multiplied by a fraction."""


def ema_by_hand(params, updates, decay):
    averages = {}
    for layer, tensors in params.items():
        averages[layer] = {}
        for name, tensor in tensors.items():
            average = tensor
            for update in updates:
                average = decay * average + (1 - decay) * update[layer][name]
            averages[layer][name] = average
    return averages, 1.0
