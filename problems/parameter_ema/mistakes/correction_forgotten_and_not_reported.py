"""The correction was forgotten

The average starts at zero, and zeros take part in it with a weight of `decay ** n` after n steps.
Divide it at the end by the sum of the other weights, `1 - decay ** n`, and report that divisor.
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
    return {"average": average, "correction": 1.0}


def each(function, tree, *others):
    if isinstance(tree, dict):
        return {key: each(function, tree[key], *[o[key] for o in others]) for key in tree}
    return function(tree, *others)
