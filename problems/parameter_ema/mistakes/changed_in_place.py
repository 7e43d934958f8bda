"""The input arrays were changed in place

`array += update` writes into the parameters that were handed over, which the caller still needs, and
it fails for whole numbers, into which no fraction can be added. Make new arrays with `array + update`.
"""

import numpy as np

NOT_IN = ("before_corrected", "rounded")  # they need not preserve their inputs, or get lists


def mistake(start, updates, decay, when="after", begin="copy"):
    current = each(np.asarray, start)
    corrected = begin == "corrected" and len(updates) > 0
    average = each(lambda array: array * (0.0 if corrected else 1.0), current)
    for update in updates:
        if when == "before":
            average = each(lambda old, new: decay * old + (1 - decay) * new, average, current)
        each(lambda array, change: np.add(array, change, out=array), current, update)
        if when == "after":
            average = each(lambda old, new: decay * old + (1 - decay) * new, average, current)
    correction = 1 - decay ** len(updates) if corrected else 1.0
    average = each(lambda array: np.array(array / correction), average)
    return {"average": average, "correction": correction}


def each(function, tree, *others):
    if isinstance(tree, dict):
        return {key: each(function, tree[key], *[o[key] for o in others]) for key in tree}
    return function(tree, *others)
