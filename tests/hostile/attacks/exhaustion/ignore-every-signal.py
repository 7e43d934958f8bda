# want: TLE cpu
import signal

def solve(values):
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        try:
            signal.signal(number, signal.SIG_IGN)
        except OSError:
            continue
    while True:
        pass
