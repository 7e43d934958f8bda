# want: TLE wall|RTE
# limits: wall_s=0.3
import os

def solve(values):
    return os.read(3, 1)
