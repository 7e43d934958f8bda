# want: WA
import gc, types

def solve(values):
    for item in gc.get_objects():
        if type(item) is types.FunctionType and item.__name__ in ("_one", "value", "_answer"):
            try:
                item.__code__ = (lambda *a, **k: None).__code__
            except ValueError:
                continue
    return 0.0
