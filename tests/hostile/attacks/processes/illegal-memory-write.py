# want: RTE signal 11
import ctypes

def solve(values):
    ctypes.memset(8, 1, 1)
