# want: RTE OSError|PermissionError
import fcntl, os

def solve(values):
    kept = []
    while True:
        kept.append(os.pipe())
        fcntl.fcntl(kept[-1][1], 1031, 1 << 20)  # F_SETPIPE_SZ
