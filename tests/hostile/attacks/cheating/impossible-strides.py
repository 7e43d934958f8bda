# want: MLE|RTE signal 11|OLE|WA
import numpy as np

def solve(values):
    return np.lib.stride_tricks.as_strided(values, shape=(1000, 1000), strides=(1 << 40, 8))
