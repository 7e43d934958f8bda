# want: MLE|RTE
import marshal

def solve(values):
    marshal.loads(b"\xdb" + b"\xff\xff\xff\x7f")
