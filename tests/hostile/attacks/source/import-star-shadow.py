# want: AC
from os import *

def solve(values):
    return values.sum()
