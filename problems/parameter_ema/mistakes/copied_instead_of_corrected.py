"""The average starts as a copy instead of being corrected

The average starts at zero here, and is corrected at the end. Started as a copy of the parameters,
it gives the very first ones a weight of `decay ** n`, which the correction takes away.
"""

import numpy as np

NOT_IN = ("after_copy",)  # it does start as a copy


def mistake(start, updates, decay, when="after", begin="copy"):
    current = each(lambda array: np.array(array, dtype=np.float64), start)
    corrected = begin == "corrected" and len(updates) > 0
    average = current
    for update in updates:
        following = each(lambda array, change: array + np.asarray(change), current, update)
        seen = following if when == "after" else current
        average = each(lambda old, new: decay * old + (1 - decay) * new, average, seen)
        current = following
    correction = 1 - decay ** len(updates) if corrected else 1.0
    average = each(lambda array: np.array(array), average)
    return {"average": average, "correction": correction}


def each(function, tree, *others):
    if isinstance(tree, dict):
        return {key: each(function, tree[key], *[o[key] for o in others]) for key in tree}
    return function(tree, *others)
