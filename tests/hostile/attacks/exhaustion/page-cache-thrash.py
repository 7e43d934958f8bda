# want: AC|TLE
import os

def solve(values):
    root = os.path.dirname(os.__file__)
    for folder, _, names in os.walk(root):
        for name in names:
            try:
                with open(os.path.join(folder, name), "rb") as file:
                    while file.read(1 << 20):
                        pass
            except OSError:
                continue
    return values.sum()
