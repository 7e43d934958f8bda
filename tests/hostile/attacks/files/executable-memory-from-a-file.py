# want: A: RTE, C: RTE
import mmap

def solve(values):
    with open("code", "w+b") as file:
        file.write(b"\xc3" * 4096)
        file.flush()
        mmap.mmap(file.fileno(), 4096, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_EXEC)
    return values.sum()
