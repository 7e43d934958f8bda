# want: RTE malformed
import os, struct

def solve(values):
    header = bytes([0x92, 0xC3]) + b"\x91" * 60_000 + b"\x90"
    os.write(3, struct.pack("<4sBBxxIIQ", b"ACL1", 2, 0, 2, len(header), 0) + header)
    return values.sum()
