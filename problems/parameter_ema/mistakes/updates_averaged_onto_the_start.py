"""The updates were averaged instead of the parameters

What each step adds was averaged and put on the start. The average follows the parameters themselves, which
are the sum of the start and *all* updates so far.
"""

import numpy as np


def mistake(start, updates, decay, when="after", begin="copy"):
    current = each(lambda array: np.array(array, dtype=np.float64), start)
    corrected = begin == "corrected" and len(updates) > 0
    average = each(np.zeros_like, current)
    for update in updates:
        average = each(
            lambda old, new: decay * old + (1 - decay) * np.asarray(new), average, update
        )
    correction = 1 - decay ** len(updates) if corrected else 1.0
    average = each(lambda array, change: array + change / correction, current, average)
    return {"average": average, "correction": correction}


def each(function, tree, *others):
    if isinstance(tree, dict):
        return {key: each(function, tree[key], *[o[key] for o in others]) for key in tree}
    return function(tree, *others)
