# want: TLE wall
# limits: wall_s=0.3
import time

def solve(values):
    time.sleep(1e9)
