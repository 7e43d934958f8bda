"""The two weights were swapped

The old average has the weight `decay` and the parameters `1 - decay`, and the correction is
`1 - decay ** n`. Here `1 - decay` stands in the place of `decay` everywhere.
"""

import numpy as np

NOT_IN = ("after_copy",)  # it needs no correction


def mistake(start, updates, decay, when="after", begin="copy"):
    current = each(lambda array: np.array(array, dtype=np.float64), start)
    corrected = begin == "corrected" and len(updates) > 0
    average = each(np.zeros_like, current) if corrected else current
    for update in updates:
        following = each(lambda array, change: array + np.asarray(change), current, update)
        seen = following if when == "after" else current
        average = each(lambda old, new: (1 - decay) * old + decay * new, average, seen)
        current = following
    correction = 1 - (1 - decay) ** len(updates) if corrected else 1.0
    with np.errstate(all="ignore"):
        average = each(lambda array: array / np.float64(correction), average)
    return {"average": average, "correction": correction}


def each(function, tree, *others):
    if isinstance(tree, dict):
        return {key: each(function, tree[key], *[o[key] for o in others]) for key in tree}
    return function(tree, *others)
