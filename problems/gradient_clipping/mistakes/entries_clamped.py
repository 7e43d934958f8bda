"""Each entry was clamped to the range

Each entry was cut off at plus or minus the limit, as `np.clip` does. That is clipping by value.
Clipping by norm never looks at single entries: it compares the norm of everything with the limit
and, if the norm is larger, multiplies every entry by the same factor, so that the direction stays.
A norm can exceed the limit although no entry does, and then clamping changes nothing at all.
"""

import numpy as np

TITLE_IN = {"dict6": "Each number was clipped on its own (clamped to the range)"}
EXPLANATION_IN = {
    "dict6": "Each number was compared with the limit and cut off at plus or minus the limit. "
    "Clipping by norm never looks at single numbers: it compares the norm of the whole list with "
    "the limit and, if the norm is larger, multiplies every number by the same factor, so that "
    "the direction stays. A norm can exceed the limit although no number does."
}


def mistake(tensors, limit, eps=0.0):
    arrays = [np.asarray(tensor, dtype=np.float64) for tensor in tensors]
    norm = float(np.sqrt(sum(np.sum(array * array) for array in arrays)))
    clipped = [np.array(np.clip(array, -limit, limit)) for array in arrays]
    return {"clipped": clipped, "norm": norm}
