"""A plain loop over every entry, and a loop that scales."""

import math


def clip_gradients(gradients, max_norm):
    total = 0.0
    for gradient in gradients:
        for entry in gradient.ravel().tolist():
            total += entry * entry
    norm = math.sqrt(total)

    clipped = []
    for gradient in gradients:
        if norm > max_norm:
            gradient = gradient * max_norm / norm
        clipped.append(gradient.copy())
    return {"clipped_gradients": clipped, "global_norm": float(f"{norm:.7f}")}
