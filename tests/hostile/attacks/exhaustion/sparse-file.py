# want: A: RTE OSError, C: RTE PermissionError
import os

def solve(values):
    descriptor = os.open("sparse", os.O_RDWR | os.O_CREAT)
    os.ftruncate(descriptor, 1 << 60)
