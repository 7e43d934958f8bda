# want: AC
import os, threading
import numpy as np

def solve(values):
    os.environ["OPENBLAS_NUM_THREADS"] = "64"
    matrix = np.ones((300, 300))
    matrix @ matrix
    return values.sum()
