"""NumPy: jumps from one improvement to the next."""

import numpy as np


def patience_trace(losses, patience, min_delta):
    best, waits = 0, [0]
    while True:
        window = losses[best + 1 : best + 1 + patience]
        better = np.flatnonzero(window < losses[best] - min_delta)
        if not better.size:
            waits.extend(range(1, window.size + 1))
            return [losses[best], waits, window.size == patience]
        waits.extend(range(1, better[0] + 1))
        waits.append(0)
        best += better[0] + 1
