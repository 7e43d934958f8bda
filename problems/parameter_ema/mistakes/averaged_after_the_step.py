"""Averaged after the step instead of before it

The average takes in the parameters as they are *before* each update. Here it saw them after, so
the start never counts and the last update does.
"""

import numpy as np

NOT_IN = ("after_copy", "rounded")  # they average after the step


def mistake(start, updates, decay, when="after", begin="copy"):
    current = each(lambda array: np.array(array, dtype=np.float64), start)
    corrected = begin == "corrected" and len(updates) > 0
    average = each(np.zeros_like, current) if corrected else current
    for update in updates:
        following = each(lambda array, change: array + np.asarray(change), current, update)
        seen = following
        average = each(lambda old, new: decay * old + (1 - decay) * new, average, seen)
        current = following
    correction = 1 - decay ** len(updates) if corrected else 1.0
    average = each(lambda array: np.array(array / correction), average)
    return {"average": average, "correction": correction}


def each(function, tree, *others):
    if isinstance(tree, dict):
        return {key: each(function, tree[key], *[o[key] for o in others]) for key in tree}
    return function(tree, *others)
