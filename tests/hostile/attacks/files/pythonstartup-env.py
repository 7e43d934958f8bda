# want: AC
import os, sys

def solve(values):
    assert sys.flags.no_user_site and sys.flags.safe_path and sys.flags.no_site
    assert not [name for name in os.environ if name.startswith("PYTHON") and name != "PYTHONHASHSEED"]
    return values.sum()
