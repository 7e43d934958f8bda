# want: RTE malformed
import os, pickle, struct

def solve(values):
    data = pickle.dumps(print)
    header = bytes([0x92, 0xC3, 0xC7, len(data), 99]) + data
    os.write(3, struct.pack("<4sBBxxIIQ", b"ACL1", 2, 0, 2, len(header), 0) + header)
    return values.sum()
