# want: RTE exit 0
import os, threading, time

def solve(values):
    threading.Thread(target=os._exit, args=(0,)).start()
    time.sleep(5)
