# want: AC
import os

def solve(values):
    for attempt in (
        lambda: os.unlink(os.__file__),
        lambda: os.rename(os.__file__, os.__file__ + "x"),
        lambda: os.chmod(os.__file__, 0o777),
        lambda: os.truncate(os.__file__, 0),
        lambda: os.utime(os.__file__),
        lambda: os.setxattr(os.__file__, "user.x", b"1"),
        lambda: open(os.__file__, "ab"),
        lambda: os.mkdir(os.path.dirname(os.__file__) + "/evil"),
        lambda: os.rmdir(os.path.dirname(os.__file__) + "/json"),
    ):
        try:
            attempt()
        except OSError:
            continue
        raise AssertionError("changed")
    return values.sum()
