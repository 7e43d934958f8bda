"""Wrong: each number is cut off at the limit."""

import math


def grad_clip_by_norm(grads, max_norm):
    norm = math.sqrt(sum(grad * grad for grad in grads))
    clipped = [max(-max_norm, min(max_norm, grad)) for grad in grads]
    return {
        "clipped_grads": [round(grad, 6) for grad in clipped],
        "global_norm": round(norm, 6),
    }
