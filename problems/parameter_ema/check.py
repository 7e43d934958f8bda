"""The same as one weighted sum over the history of every entry, in exact fractions."""

from fractions import Fraction

import numpy as np


def check(start, updates, decay, when="after", begin="copy"):
    """Outputs of the core from the closed form; each number is rounded to float64 once.

    With n steps, the parameters seen k steps before the last one have the weight
    (1 - decay) * decay^k, and a copied start has decay^n.
    """
    rate, steps = Fraction(decay), len(updates)
    weights = [(1 - rate) * rate ** (steps - 1 - step) for step in range(steps)]
    correction = sum(weights) if begin == "corrected" and steps else Fraction(1)
    first = rate**steps if begin == "copy" or not steps else Fraction(0)

    def averaged(entry, changes):
        history = [Fraction(entry)]
        for change in changes:
            history.append(history[-1] + Fraction(change))
        seen = history[1:] if when == "after" else history[:-1]
        return float(
            (first * history[0] + sum(w * x for w, x in zip(weights, seen, strict=True)))
            / correction
        )

    def walked(tree, changes):
        if isinstance(tree, dict):
            return {key: walked(tree[key], [change[key] for change in changes]) for key in tree}
        flat = np.asarray(tree).ravel().tolist()
        columns = [np.asarray(change).ravel().tolist() for change in changes]
        found = [averaged(x, [column[i] for column in columns]) for i, x in enumerate(flat)]
        return np.array(found).reshape(np.shape(tree))

    return {"average": walked(start, updates), "correction": float(correction)}
