# want: MLE
# limits: time_s=3 wall_s=9
import zlib

def solve(values):
    small = zlib.compress(bytes(40 << 20), 1)
    return [zlib.decompress(small) for _ in range(10)]
