# want: TLE cpu
import signal

def solve(values):
    signal.alarm(0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    while True:
        pass
