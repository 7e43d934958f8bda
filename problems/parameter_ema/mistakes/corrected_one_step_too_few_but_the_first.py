"""The correction counts one step too few

The exponent is the number of steps that were averaged. With one less, the divisor is too small; after a
single step nothing was divided.
"""

import numpy as np

NOT_IN = ("after_copy",)  # it needs no correction


def mistake(start, updates, decay, when="after", begin="copy"):
    current = each(lambda array: np.array(array, dtype=np.float64), start)
    corrected = begin == "corrected" and len(updates) > 0
    average = each(np.zeros_like, current) if corrected else current
    for update in updates:
        following = each(lambda array, change: array + np.asarray(change), current, update)
        seen = following if when == "after" else current
        average = each(lambda old, new: decay * old + (1 - decay) * new, average, seen)
        current = following
    steps = len(updates) - 1
    correction = 1 - decay**steps if corrected and steps > 0 else 1.0
    average = each(lambda array: array / correction, average)
    return {"average": average, "correction": correction}


def each(function, tree, *others):
    if isinstance(tree, dict):
        return {key: each(function, tree[key], *[o[key] for o in others]) for key in tree}
    return function(tree, *others)
