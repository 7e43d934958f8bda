"""Wrong: divides by the norm before asking whether it is zero."""

import math


def clip_gradients(gradients, max_norm):
    norm = math.sqrt(sum(float((gradient**2).sum()) for gradient in gradients))
    factor = min(1.0, max_norm / norm)
    return {
        "clipped_gradients": [gradient * factor for gradient in gradients],
        "global_norm": round(norm, 7),
    }
