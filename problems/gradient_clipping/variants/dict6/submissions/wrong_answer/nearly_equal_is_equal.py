"""Calls a norm that is above the limit by less than a millionth of it equal to the limit."""

import math


def grad_clip_by_norm(grads, max_norm):
    norm = math.hypot(*grads)
    if norm <= max_norm or math.isclose(norm, max_norm, rel_tol=1e-6):
        factor = 1.0
    else:
        factor = max_norm / norm
    return {"clipped_grads": [round(g * factor, 6) for g in grads], "global_norm": round(norm, 6)}
