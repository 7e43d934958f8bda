# want: WA
# As nested lists these would be a thousand million.
import numpy as np

def solve(values):
    shape = (1 << 23,) + (1,) * 60
    return [np.zeros(shape, bool), np.zeros(shape, np.int8), np.zeros(shape[:-1], np.int8)]
