"""Another order of summation: exact, over all entries, last tensor first; nested lists come out."""

import math


def clip_gradients(gradients, max_norm):
    entries = [entry for gradient in reversed(gradients) for entry in gradient.flat]
    norm = math.sqrt(math.fsum(entry * entry for entry in entries))
    if norm <= max_norm:
        clipped = [gradient.tolist() for gradient in gradients]
    else:
        clipped = [(gradient * (max_norm / norm)).tolist() for gradient in gradients]
    return {"clipped_gradients": clipped, "global_norm": round(norm, 7)}
