# want: RTE PermissionError|FileNotFoundError
import os

def solve(values):
    os.execv("/usr/bin/su", ["su"])
