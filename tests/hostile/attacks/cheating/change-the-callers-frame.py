# want: WA
import ctypes, sys

def solve(values):
    frame = sys._getframe(1)
    frame.f_locals["value"] = 6.0
    ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
    return 0.0
