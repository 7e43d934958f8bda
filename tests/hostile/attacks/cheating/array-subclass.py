# want: WA
import numpy as np

class A(np.ndarray):
    def __eq__(self, other):
        return True

def solve(values):
    return np.array(values.sum()).view(A)
