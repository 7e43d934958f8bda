"""A plain mean was taken

The start and all parameters of the run count the same here. In an exponential average the newest ones have
the weight `1 - decay`, and every older one `decay` times the weight of the next.
"""

import numpy as np


def mistake(start, updates, decay, when="after", begin="copy"):
    current = each(lambda array: np.array(array, dtype=np.float64), start)
    corrected = begin == "corrected" and len(updates) > 0
    total = current
    for update in updates:
        current = each(lambda array, change: array + np.asarray(change), current, update)
        total = each(np.add, total, current)
    correction = 1 - decay ** len(updates) if corrected else 1.0
    average = each(lambda array: array / (len(updates) + 1), total)
    return {"average": average, "correction": correction}


def each(function, tree, *others):
    if isinstance(tree, dict):
        return {key: each(function, tree[key], *[o[key] for o in others]) for key in tree}
    return function(tree, *others)
