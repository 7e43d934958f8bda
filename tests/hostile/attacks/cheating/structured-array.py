# want: WA
import numpy as np

def solve(values):
    return np.zeros(3, dtype=[("a", "f8"), ("b", "O")])
