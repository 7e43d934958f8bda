# want: WA
import numpy as np

def solve(values):
    return [np.array(["6.0"]), np.array(["2020-01-01"], dtype="M8[D]"), np.zeros(2, dtype="S8")]
