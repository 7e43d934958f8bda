# want: AC
import random
import numpy as np

first = (random.random(), float(np.random.rand()))

def solve(values):
    # a stream that went on from one box to the next would differ from one that starts anew
    assert random.Random(0) is not None
    random.seed(5)
    np.random.seed(5)
    return values.sum()
