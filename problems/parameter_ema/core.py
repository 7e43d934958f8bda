"""An exponential moving average of a model's parameters over the steps of a training run."""

import math

import numpy as np


def core(start, updates, decay, when="after", begin="copy"):
    """Average of parameters that change by one update in every step.

    start    parameters before the first step: a dict, nested to any depth, of numbers, lists or arrays
    updates  list of what each step adds, dicts with the keys and shapes of `start`
    decay    weight of the old average in every step, 0 <= decay < 1
    when     whether a step averages the parameters "after" or "before" its update
    begin    "copy": the average starts as a copy of `start`;
             "corrected": it starts at zero and is divided by the sum of its weights at the end

    Returns `average`, float64 arrays in the structure of `start`, and `correction`, the divisor: 1
    where nothing is corrected, which includes a run without steps (its average is `start`). The
    sum of weights is added up exactly: 1 - decay ** n would lose digits for a decay close to 1.
    """
    current = each(lambda array: np.array(array, dtype=np.float64), start)
    corrected = begin == "corrected" and len(updates) > 0
    average = each(np.zeros_like, current) if corrected else current
    for update in updates:
        following = each(lambda array, change: array + np.asarray(change), current, update)
        seen = following if when == "after" else current
        average = each(lambda old, new: decay * old + (1 - decay) * new, average, seen)
        current = following
    weights = [(1 - decay) * decay**age for age in range(len(updates))]
    correction = math.fsum(weights) if corrected else 1.0
    return {
        "average": each(lambda array: np.array(array / correction), average),
        "correction": correction,
    }


def each(function, tree, *others):
    """`function` on the arrays at every place of some dicts of the same structure."""
    if isinstance(tree, dict):
        return {key: each(function, tree[key], *[o[key] for o in others]) for key in tree}
    return function(tree, *others)
