"""A fraction was added in place to whole numbers

`current += update` keeps the type of `current`. If the parameters are whole numbers, NumPy refuses to
put fractions into their array. Convert to floats when copying, or write `current = current + update`.
"""

import numpy as np

NOT_IN = ("rounded",)  # it hands over lists


def mistake(start, updates, decay, when="after", begin="copy"):
    current = each(np.array, start)  # a copy, of the same type
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
