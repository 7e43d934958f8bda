"""The latest parameters were returned

These are the parameters after the last step, not their average. The average is a second set of arrays,
updated in every step and returned in their place.
"""

import numpy as np


def mistake(start, updates, decay, when="after", begin="copy"):
    current = each(lambda array: np.array(array, dtype=np.float64), start)
    corrected = begin == "corrected" and len(updates) > 0
    for update in updates:
        current = each(lambda array, change: array + np.asarray(change), current, update)
    correction = 1 - decay ** len(updates) if corrected else 1.0
    return {"average": current, "correction": correction}


def each(function, tree, *others):
    if isinstance(tree, dict):
        return {key: each(function, tree[key], *[o[key] for o in others]) for key in tree}
    return function(tree, *others)
