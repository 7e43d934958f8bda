# want: OLE|RTE
import os

def solve(values):
    head = b"ACL1" + bytes([2, 0, 0, 0]) + (1).to_bytes(4, "little") + (5).to_bytes(4, "little")
    os.write(3, head + (10 << 30).to_bytes(8, "little"))
    while True:
        os.write(3, b"x" * 65536)
