# want: AC
import gc
import numpy as np

def solve(values):
    arrays = [item for item in gc.get_objects() if type(item) is np.ndarray]
    assert len(arrays) <= 20
    return values.sum()
