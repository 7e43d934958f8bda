# want: AC
import importlib, os, sys

def solve(values):
    for name in ("app", "app.sandbox", "app.sandbox.inside", "msgspec", "sqlalchemy", "fastapi", "pip"):
        try:
            importlib.import_module(name)
        except ImportError:
            continue
        raise AssertionError(name)
    assert not [name for name in sys.modules if name.partition(".")[0] in ("app", "msgspec", "ctypes")]
    return values.sum()
