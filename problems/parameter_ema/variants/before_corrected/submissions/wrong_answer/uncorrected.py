"""Wrong: reports the correction but does not apply it."""


def corrected_average(params, updates, decay):
    averages = {}
    for layer, tensors in params.items():
        averages[layer] = {}
        for name, current in tensors.items():
            average = 0.0 * current if updates else current
            for update in updates:
                average = decay * average + (1 - decay) * current
                current = current + update[layer][name]
            averages[layer][name] = average
    correction = 1 - decay ** len(updates) if updates else 1.0
    return {"average": averages, "correction": correction}
