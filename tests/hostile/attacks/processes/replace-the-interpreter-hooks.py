# want: WA
import builtins, sys, threading

sys.excepthook = sys.unraisablehook = sys.displayhook = threading.excepthook = lambda *a: None
sys.settrace(lambda *a: None)
sys.setprofile(lambda *a: None)
builtins.__build_class__ = None

def solve(values):
    return 0.0
