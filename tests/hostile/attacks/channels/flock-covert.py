# want: RTE PermissionError
import fcntl, os

def solve(values):
    fcntl.flock(open(os.__file__), fcntl.LOCK_EX | fcntl.LOCK_NB)
