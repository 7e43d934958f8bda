"""Another order of summation: the smallest squares first, exactly."""

import math


def grad_clip_by_norm(grads, max_norm):
    norm = math.sqrt(math.fsum(sorted(grad * grad for grad in grads)))
    share = max_norm / max(norm, max_norm)
    clipped = [round(share * grad, 6) for grad in grads]
    return dict(clipped_grads=clipped, global_norm=round(norm, 6))
