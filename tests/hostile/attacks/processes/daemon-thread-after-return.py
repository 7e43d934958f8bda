# want: WA
import os, threading, time

def write():
    while True:
        os.write(3, b"ACL1" * 100)

def solve(values):
    threading.Timer(0.2, write).start()
    return 0.0
