# want: AC
import os, subprocess, multiprocessing

def refused(attempt):
    try:
        attempt()
    except OSError:
        return True
    return False

def solve(values):
    assert refused(os.fork)
    assert refused(os.forkpty)
    assert refused(lambda: os.posix_spawn("/bin/sh", ["sh"], {}))
    assert refused(lambda: subprocess.run(["true"], check=True))
    assert refused(lambda: os.execv("/bin/true", ["true"]))
    assert refused(multiprocessing.get_context("fork").Process(target=print).start)
    return values.sum()
