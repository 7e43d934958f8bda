# want: RTE OSError|FileNotFoundError|PermissionError|ImportError
from multiprocessing.shared_memory import SharedMemory

def solve(values):
    memory = SharedMemory(create=True, size=1 << 34)
    memory.buf[:] = b"x" * (1 << 34)
