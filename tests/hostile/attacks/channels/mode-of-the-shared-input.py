# want: AC
import fcntl, os

def solve(values):
    # standard input is one pipe for all boxes: its flags must not be a blackboard
    assert not fcntl.fcntl(0, fcntl.F_GETFL) & os.O_NONBLOCK
    try:
        fcntl.fcntl(0, fcntl.F_SETFL, os.O_NONBLOCK)
    except OSError:
        pass
    return values.sum()
