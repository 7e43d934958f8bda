# want: OLE|RTE malformed
import os, struct

def solve(values):
    os.write(3, struct.pack("<4sBBxxIIQ", b"ACL1", 2, 0, 2, 11, (1 << 63) + 5))
    return values.sum()
