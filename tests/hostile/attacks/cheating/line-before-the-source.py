# want: CE syntax
# A syntax error on a line that no source has.
import os, struct

def solve(values):
    header = bytes([0x96, 0xA6]) + b"syntax" + b"\xa0\xd3" + struct.pack(">q", -(10**6)) + b"\xc0\xa0\x00"
    os.write(3, struct.pack("<4sBBxxIIQ", b"ACL1", 4, 0, 6, len(header), 0) + header)
    return values.sum()
