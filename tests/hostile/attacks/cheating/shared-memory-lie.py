# want: RTE malformed
import os, struct

def solve(values):
    header = bytes([0x92, 0xC3, 0xC0])
    os.write(3, struct.pack("<4sBBxxIIQ", b"ACL1", 2, 1, 2, len(header), 1 << 20) + header)
    return values.sum()
