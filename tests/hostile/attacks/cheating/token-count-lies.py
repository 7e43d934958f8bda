# want: RTE malformed
import os, struct

def solve(values):
    header = bytes([0xDD, 0xFF, 0xFF, 0xFF, 0xFF, 0xC3])
    os.write(3, struct.pack("<4sBBxxIIQ", b"ACL1", 2, 0, 2, len(header), 0) + header)
    return values.sum()
