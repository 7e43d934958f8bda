# want: AC
def solve(values):
    for name in ("maps", "environ", "cmdline", "status", "fd/3", "exe", "cgroup", "mountinfo", "net/tcp"):
        for who in ("self", "1", "thread-self"):
            try:
                open(f"/proc/{who}/{name}", "rb").read(1)
            except OSError:
                continue
            raise AssertionError(name)
    return values.sum()
