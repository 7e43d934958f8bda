# want: AC
import sys

def solve(values):
    # nothing of the learner's ran before the lock: the first module of ours is this one
    assert [name for name in sys.modules if name == "submission"]
    return values.sum()
