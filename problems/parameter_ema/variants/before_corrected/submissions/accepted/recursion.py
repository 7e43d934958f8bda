"""A recursive helper that walks several dicts at once."""


def corrected_average(params, updates, decay):
    if not updates:
        return {"average": params, "correction": 1.0}
    average = each(lambda array: 0.0, params)
    for update in updates:
        average = each(lambda old, new: decay * old + (1 - decay) * new, average, params)
        params = each(lambda array, change: array + change, params, update)
    correction = 1 - decay ** len(updates)
    return {"average": each(lambda array: array / correction, average), "correction": correction}


def each(function, tree, *others):
    if isinstance(tree, dict):
        return {key: each(function, tree[key], *[o[key] for o in others]) for key in tree}
    return function(tree, *others)
