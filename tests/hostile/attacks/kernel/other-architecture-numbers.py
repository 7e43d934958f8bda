# want: RTE signal 31
import ctypes

def solve(values):
    ctypes.CDLL(None).syscall(0x40000000 + 39)  # getpid, as x32 numbers it
    return values.sum()
