# want: RTE malformed
# Integers of one hash as keys: telling them apart would take whoever reads them hours.
import os, struct

def solve(values):
    count = 400_000
    key = lambda n: (n * (2**61 - 1)).to_bytes(12, "little", signed=True)
    pairs = b"".join(b"\xc7\x0c\x05" + key(1000 + n) + b"\x00" for n in range(count))
    tokens = 2 + 2 * count
    header = b"\xdd" + struct.pack(">I", tokens) + b"\xc3\xd6\x03" + struct.pack("<I", count) + pairs
    frame = struct.pack("<4sBBxxIIQ", b"ACL1", 2, 0, tokens, len(header), 0) + header
    while frame:
        frame = frame[os.write(3, frame):]
    return values.sum()
# limits: time_s=3
