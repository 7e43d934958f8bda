# want: AC
def solve(values):
    for name in ("null", "zero", "tty", "random", "urandom", "console", "kmsg", "mem", "vda", "fuse", "kvm"):
        for mode in ("rb", "wb"):
            try:
                open("/dev/" + name, mode)
            except OSError:
                continue
            raise AssertionError(name)
    return values.sum()
