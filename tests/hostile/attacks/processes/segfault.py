# want: RTE signal 11
import ctypes

def solve(values):
    ctypes.string_at(0)
