# want: RTE malformed
import os

def solve(values):
    os.write(3, b'{"passed": true, "verdict": "AC"}\n' * 4)
    return values.sum()
