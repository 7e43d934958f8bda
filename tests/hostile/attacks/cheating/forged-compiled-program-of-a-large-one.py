# want: RTE malformed
import marshal, os, struct

PAD = "too large to be told to the boxes of other tests, which is not to say that this box may tell " * 1000

def solve(values):
    data = marshal.dumps(compile("def solve(values):\n    return 0.0\n", "submission.py", "exec"))
    header = b"\x91\xc8" + struct.pack(">Hb", len(data), 9) + data
    os.write(3, struct.pack("<4sBBxxIIQ", b"ACL1", 6, 0, 1, len(header), 0) + header)
    return values.sum()
