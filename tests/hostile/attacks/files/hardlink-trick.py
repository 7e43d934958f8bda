# want: RTE PermissionError
import os

def solve(values):
    os.link(os.__file__, "mine")
