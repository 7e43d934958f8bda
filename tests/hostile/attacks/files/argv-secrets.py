# want: AC
import sys

def solve(values):
    assert sys.argv == [""], sys.argv
    assert len(sys.orig_argv) == 1, sys.orig_argv
    return values.sum()
