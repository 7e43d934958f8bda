# want: AC
import inspect, linecache, sys

def solve(values):
    main = vars(sys.modules["__main__"])
    assert not [name for name in main if "answer" in name.lower() or "reference" in name.lower()]
    assert not [name for name in sys.modules if name.split(".")[0] in ("problems", "core", "check")]
    assert set(linecache.cache) <= {"submission.py"} | {n for n in linecache.cache if n.startswith("<")}
    return values.sum()
