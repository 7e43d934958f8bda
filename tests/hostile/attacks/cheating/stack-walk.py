# want: AC
import sys

def solve(values):
    frame = sys._getframe()
    while frame:
        for name, value in frame.f_locals.items():
            assert not (type(value) is float and value == float(values.sum())), name
        frame = frame.f_back
    return values.sum()
