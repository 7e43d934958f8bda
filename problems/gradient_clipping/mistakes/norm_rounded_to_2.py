"""The norm was rounded before it was used

The norm was rounded first, and the rounded value was compared with the limit and divided by. A
rounded norm carries an error of up to half a unit of its last place into every clipped entry.
Compute with the full value; round only what is returned, and only where rounding is asked for, at
the very end.
"""

import numpy as np

NOT_IN = ("dict7", "dict6")  # they ask for 7 and for 6 places


def mistake(tensors, limit, eps=0.0):
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    norm = float(np.sqrt(sum(np.sum(array * array) for array in arrays)))
    norm = round(norm, 2)
    factor = limit / (norm + eps) if norm + eps > limit else 1.0
    return {"clipped": [np.array(array * factor) for array in arrays], "norm": norm}
