# want: AC
import builtins, math, os
import numpy as np

def solve(values):
    assert not hasattr(builtins, "seen") and not hasattr(math, "seen") and "SEEN" not in os.environ
    assert not hasattr(np, "seen") and np.get_printoptions()["precision"] == 8
    builtins.seen = math.seen = np.seen = True
    os.environ["SEEN"] = "1"
    np.set_printoptions(precision=3)
    return values.sum()
