# want: WA
import sys, types

fake = types.ModuleType("numpy")
fake.ndarray = fake.float64 = float
sys.modules["numpy"] = sys.modules["json"] = sys.modules["struct"] = fake

def solve(values):
    import numpy
    return numpy.float64(0.0)
