# want: RTE malformed
import os, struct

def solve(values):
    data = bytes([11, 3]) + struct.pack("<3Q", 1 << 33, 1 << 33, 1 << 33)
    header = bytes([0x92, 0xC3, 0xC7, len(data), 6]) + data
    os.write(3, struct.pack("<4sBBxxIIQ", b"ACL1", 2, 0, 2, len(header), 8) + header + b"x" * 8)
    return values.sum()
