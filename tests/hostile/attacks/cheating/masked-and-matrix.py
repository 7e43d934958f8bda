# want: WA
import numpy as np

def solve(values):
    return np.ma.masked_array(values.sum(), mask=True)
