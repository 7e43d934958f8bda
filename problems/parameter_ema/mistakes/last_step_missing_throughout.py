"""The last step is missing

One step too few was averaged, and one too few counted in the correction: a range or a slice that ends too
early. All updates take part.
"""

import numpy as np

NOT_IN = ("after_copy",)  # with a copied start it is the same as averaging before the step


def mistake(start, updates, decay, when="after", begin="copy"):
    current = each(lambda array: np.array(array, dtype=np.float64), start)
    corrected = begin == "corrected" and len(updates) > 0
    steps = updates[:-1]
    average = each(np.zeros_like, current) if corrected and steps else current
    for update in steps:
        following = each(lambda array, change: array + np.asarray(change), current, update)
        seen = following if when == "after" else current
        average = each(lambda old, new: decay * old + (1 - decay) * new, average, seen)
        current = following
    correction = 1 - decay ** len(steps) if corrected and steps else 1.0
    average = each(lambda array: array / correction, average)
    return {"average": average, "correction": correction}


def each(function, tree, *others):
    if isinstance(tree, dict):
        return {key: each(function, tree[key], *[o[key] for o in others]) for key in tree}
    return function(tree, *others)
