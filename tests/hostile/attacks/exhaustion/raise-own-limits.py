# want: TLE cpu
import resource

def solve(values):
    for name in (resource.RLIMIT_CPU, resource.RLIMIT_AS, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC):
        try:
            resource.setrlimit(name, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
            return "limit lifted"
        except (ValueError, OSError):
            continue
    while True:
        pass
