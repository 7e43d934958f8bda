# want: WA
# A million parts, each of the kind that takes longest to read.
# limits: time_s=3
import os, struct

def solve(values):
    count = 1_000_000
    header = b"\xdd" + struct.pack(">I", count + 2) + b"\xc3\xd6\x01" + struct.pack("<I", count)
    header += b"\xc7\x00\x08" * count
    frame = memoryview(struct.pack("<4sBBxxIIQ", b"ACL1", 2, 0, count + 2, len(header), 0) + header)
    while frame:
        frame = frame[os.write(3, frame):]
    return values.sum()
