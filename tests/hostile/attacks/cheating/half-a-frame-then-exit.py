# want: RTE
import os, struct

def solve(values):
    os.write(3, struct.pack("<4sBBxxIIQ", b"ACL1", 2, 0, 2, 11, 0) + b"\x92\xc3")
    os._exit(0)
