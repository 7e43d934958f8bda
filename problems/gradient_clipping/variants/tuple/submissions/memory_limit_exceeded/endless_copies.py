"""Wrong: collects copies of the gradients, sixteen mebibytes at a time, and never stops."""

import numpy as np


def clip_by_global_norm(grads, max_norm):
    copies = []
    while True:
        copies.append(np.full(2**21, max_norm, dtype=float))
