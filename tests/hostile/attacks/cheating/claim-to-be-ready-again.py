# want: RTE malformed
import os

def solve(values):
    os.write(3, b"READY landlock seccomp session capabilities descriptors parent_death")
    return values.sum()
