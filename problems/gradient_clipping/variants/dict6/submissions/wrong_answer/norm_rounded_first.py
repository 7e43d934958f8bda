"""Wrong: the norm is rounded, and then used."""

import math


def grad_clip_by_norm(grads, max_norm):
    norm = round(math.sqrt(sum(grad * grad for grad in grads)), 6)
    factor = max_norm / norm if norm > max_norm else 1.0
    return {"clipped_grads": [round(grad * factor, 6) for grad in grads], "global_norm": norm}
