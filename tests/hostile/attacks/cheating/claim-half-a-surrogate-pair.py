# want: RTE malformed
# A name that no database could keep.
import os, struct

def solve(values):
    header = b"\x93\xa3\xed\xa0\x80\xa0\x01"
    os.write(3, struct.pack("<4sBBxxIIQ", b"ACL1", 3, 0, 3, len(header), 0) + header)
    return values.sum()
