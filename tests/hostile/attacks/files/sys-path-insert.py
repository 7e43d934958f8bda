# want: A: AC, C: RTE PermissionError
import sys

def solve(values):
    with open("evil.py", "w") as file:
        file.write("answer = sum")
    sys.path.insert(0, ".")
    import evil
    return float(evil.answer(values))
