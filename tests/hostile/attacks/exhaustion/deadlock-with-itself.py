# want: TLE wall
# limits: wall_s=0.3
import threading

def solve(values):
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
