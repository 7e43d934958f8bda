# want: OLE
import sys

def solve(values):
    while True:
        sys.stderr.write("x" * 4096)
