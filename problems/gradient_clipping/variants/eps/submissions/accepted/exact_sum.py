"""Another order of summation: exact, last array first."""

import math

EPS = 1e-6


def clip_grad_norm(grads, max_norm):
    entries = [entry for grad in reversed(grads) for entry in grad.flat]
    norm = math.sqrt(math.fsum(float(entry) * float(entry) for entry in entries))
    divisor = max(1.0, (norm + EPS) / max_norm)
    return [[(grad / divisor).tolist() for grad in grads], norm]
