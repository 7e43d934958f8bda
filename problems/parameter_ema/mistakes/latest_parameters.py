"""The latest parameters were returned

These are the parameters at the end of the run, not their average. The average is a second set of
arrays, updated after the parameters in every step and returned in their place.
"""

import numpy as np


def mistake(start, updates, decay, when="after", begin="copy"):
    current = each(lambda array: np.array(array, dtype=np.float64), start)
    corrected = begin == "corrected" and len(updates) > 0
    average = current
    for update in updates:
        following = each(lambda array, change: array + np.asarray(change), current, update)
        seen = following if when == "after" else current
        average = each(lambda old, new: new, average, seen)
        current = following
    correction = 1 - decay ** len(updates) if corrected else 1.0
    average = each(lambda array: np.array(array), average)
    return {"average": average, "correction": correction}


def each(function, tree, *others):
    if isinstance(tree, dict):
        return {key: each(function, tree[key], *[o[key] for o in others]) for key in tree}
    return function(tree, *others)
