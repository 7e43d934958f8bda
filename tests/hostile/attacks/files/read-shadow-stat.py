# want: A: RTE FileNotFoundError, C: RTE FileNotFoundError|AC
import os

def solve(values):
    os.stat("/etc/shadow")
    return values.sum()  # where there is no private root this works: tier C says so
