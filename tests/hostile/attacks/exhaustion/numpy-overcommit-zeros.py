# want: MLE
import numpy as np

def solve(values):
    zeros = np.zeros(1 << 37, dtype=np.uint8)
    zeros[:: 1 << 20] = 1
    return values.sum()
