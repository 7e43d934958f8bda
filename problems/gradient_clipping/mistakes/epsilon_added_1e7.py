"""An epsilon was added to the norm

The factor here is limit / norm, without a small constant in the divisor. Libraries add one so that
nothing divides by zero; but a norm above a limit is never zero, and the constant makes every
clipped entry too small by a relative epsilon / norm. At a norm of 0.001 even 1e-7 is plain to see.
"""

import numpy as np

NOT_IN = ("eps",)  # that one asks for an epsilon


def mistake(tensors, limit, eps=0.0):
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    norm = float(np.sqrt(sum(np.sum(array * array) for array in arrays)))
    factor = limit / (norm + 1e-7) if norm > limit else 1.0
    return {"clipped": [np.array(array * factor) for array in arrays], "norm": norm}
