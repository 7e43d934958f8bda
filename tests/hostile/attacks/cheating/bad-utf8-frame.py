# want: RTE malformed
import os, struct

def solve(values):
    header = bytes([0x92, 0xC3, 0xA4]) + b"\xff\xfe\xfd\xfc"
    os.write(3, struct.pack("<4sBBxxIIQ", b"ACL1", 2, 0, 2, len(header), 0) + header)
    return values.sum()
