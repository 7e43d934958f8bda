"""Wrong: divides by a norm of zero."""

import math


def grad_clip_by_norm(grads, max_norm):
    norm = math.sqrt(sum(grad * grad for grad in grads))
    factor = min(1.0, max_norm / norm)
    return {
        "clipped_grads": [round(grad * factor, 6) for grad in grads],
        "global_norm": round(norm, 6),
    }
