# want: MLE
import mmap

def solve(values):
    kept = []
    while True:
        kept.append(mmap.mmap(-1, 1 << 20))
        kept[-1].write(b"x" * (1 << 20))
