# want: AC|TLE
import ctypes

def solve(values):
    call = ctypes.CDLL(None).syscall
    for _ in range(20_000):
        call(101, 0, 0, 0, 0)
    return values.sum()
