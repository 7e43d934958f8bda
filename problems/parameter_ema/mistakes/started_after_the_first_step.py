"""The average starts with the second parameters

The average was set to the parameters after the first step, or was the same object as the
parameters and moved along with them. It has to start as a copy of those before the first step.
"""

import numpy as np

NOT_IN = ("before_corrected", "rounded")  # they start at zero


def mistake(start, updates, decay, when="after", begin="copy"):
    current = each(lambda array: np.array(array, dtype=np.float64), start)
    corrected = begin == "corrected" and len(updates) > 0
    average = each(np.zeros_like, current) if corrected else current
    begun = current
    for update in updates:
        following = each(lambda array, change: array + np.asarray(change), current, update)
        seen = following if when == "after" else current
        average = each(lambda old, new: decay * old + (1 - decay) * new, average, seen)
        average = following if current is begun else average
        current = following
    correction = 1 - decay ** len(updates) if corrected else 1.0
    average = each(lambda array: np.array(array / correction), average)
    return {"average": average, "correction": correction}


def each(function, tree, *others):
    if isinstance(tree, dict):
        return {key: each(function, tree[key], *[o[key] for o in others]) for key in tree}
    return function(tree, *others)
