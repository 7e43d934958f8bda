"""Plain Python: a sum, a root, a list comprehension. Earns the bonus."""

import math


def grad_clip_by_norm(grads, max_norm):
    norm = math.sqrt(sum(grad * grad for grad in grads))
    factor = max_norm / norm if norm > max_norm else 1.0
    return {
        "clipped_grads": [round(grad * factor, 6) for grad in grads],
        "global_norm": round(norm, 6),
    }
