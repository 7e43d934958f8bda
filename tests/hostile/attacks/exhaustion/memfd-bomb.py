# want: RTE PermissionError
import os

def solve(values):
    descriptor = os.memfd_create("hoard")
    while True:
        os.write(descriptor, b"x" * (1 << 20))
