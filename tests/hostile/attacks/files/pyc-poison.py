# want: RTE OSError|PermissionError
import os
import numpy

def solve(values):
    os.makedirs(os.path.join(os.path.dirname(numpy.__file__), "__pycache__"), exist_ok=True)
    with open(os.path.join(os.path.dirname(numpy.__file__), "__pycache__", "evil.pyc"), "wb") as file:
        file.write(b"x")
