"""The corrected average was averaged on

The correction belongs to the result only. Here the average was divided in every step and then
averaged on, so that earlier corrections are corrected again. Keep the raw average, and divide a
copy at the end.
"""

import numpy as np

NOT_IN = ("after_copy",)  # it needs no correction


def mistake(start, updates, decay, when="after", begin="copy"):
    current = each(lambda array: np.array(array, dtype=np.float64), start)
    corrected = begin == "corrected" and len(updates) > 0
    average = each(np.zeros_like, current) if corrected else current
    for count, update in enumerate(updates, start=1):
        following = each(lambda array, change: array + np.asarray(change), current, update)
        seen = following if when == "after" else current
        average = each(lambda old, new: decay * old + (1 - decay) * new, average, seen)
        average = each(lambda old, n=count: old / (1 - decay**n) if corrected else old, average)
        current = following
    correction = 1 - decay ** len(updates) if corrected else 1.0
    average = each(lambda array: np.array(array), average)
    return {"average": average, "correction": correction}


def each(function, tree, *others):
    if isinstance(tree, dict):
        return {key: each(function, tree[key], *[o[key] for o in others]) for key in tree}
    return function(tree, *others)
