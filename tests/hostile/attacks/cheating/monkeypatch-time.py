# want: TLE cpu
import time

time.perf_counter = time.monotonic = time.time = time.process_time = lambda: 0.0

def solve(values):
    while True:
        time.perf_counter()
