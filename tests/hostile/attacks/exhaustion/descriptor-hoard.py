# want: RTE OSError
import os

def solve(values):
    kept = []
    while True:
        kept.append(os.pipe())
