# want: RTE RuntimeError
import threading, time

def solve(values):
    for _ in range(500):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    return values.sum()
