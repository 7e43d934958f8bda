"""The average starts at zero and stays too small

As soon as there is a step, the average begins with zeros, which take part in it with a weight of
`decay ** n` after n steps. It has to start as a copy of the parameters.
"""

import numpy as np

NOT_IN = ("before_corrected", "rounded")  # see correction_forgotten


def mistake(start, updates, decay, when="after", begin="copy"):
    current = each(lambda array: np.array(array, dtype=np.float64), start)
    corrected = begin == "corrected" and len(updates) > 0
    average = each(np.zeros_like, current) if updates else current
    for update in updates:
        following = each(lambda array, change: array + np.asarray(change), current, update)
        seen = following if when == "after" else current
        average = each(lambda old, new: decay * old + (1 - decay) * new, average, seen)
        current = following
    correction = 1 - decay ** len(updates) if corrected else 1.0
    return {"average": average, "correction": correction}


def each(function, tree, *others):
    if isinstance(tree, dict):
        return {key: each(function, tree[key], *[o[key] for o in others]) for key in tree}
    return function(tree, *others)
