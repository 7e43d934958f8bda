"""Another order of summation: each update with the weight that is left for it at the end."""


def average_parameters(params, updates, decay):
    steps = len(updates)

    def average(layer, name):
        total = params[layer][name]
        for step, update in enumerate(updates):
            total = total + (1 - decay ** (steps - step)) * update[layer][name]
        return total

    return {layer: {name: average(layer, name) for name in params[layer]} for layer in params}
