"""A recursive helper that walks several dicts at once."""


def average_parameters(params, updates, decay):
    average = params
    for update in updates:
        params = each(lambda array, change: array + change, params, update)
        average = each(lambda old, new: decay * old + (1 - decay) * new, average, params)
    return average


def each(function, tree, *others):
    if isinstance(tree, dict):
        return {key: each(function, tree[key], *[o[key] for o in others]) for key in tree}
    return function(tree, *others)
