# want: AC
import threading, time

def solve(values):
    for _ in range(30):
        threading.Thread(target=time.sleep, args=(60,)).start()
    return values.sum()
