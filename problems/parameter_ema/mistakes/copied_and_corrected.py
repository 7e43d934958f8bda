"""Corrected although it starts as a copy

The correction makes up for an average that starts at zero. An average that starts as a copy has
weights that add up to 1 already, and dividing makes it too large.
"""

import numpy as np

NOT_IN = ("before_corrected", "rounded")  # they do correct


def mistake(start, updates, decay, when="after", begin="copy"):
    current = each(lambda array: np.array(array, dtype=np.float64), start)
    corrected = begin == "corrected" and len(updates) > 0
    average = each(np.zeros_like, current) if corrected else current
    for update in updates:
        following = each(lambda array, change: array + np.asarray(change), current, update)
        seen = following if when == "after" else current
        average = each(lambda old, new: decay * old + (1 - decay) * new, average, seen)
        current = following
    correction = 1 - decay ** len(updates) if updates else 1.0
    average = each(lambda array: np.array(array / correction), average)
    return {"average": average, "correction": correction}


def each(function, tree, *others):
    if isinstance(tree, dict):
        return {key: each(function, tree[key], *[o[key] for o in others]) for key in tree}
    return function(tree, *others)
