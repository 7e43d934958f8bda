# want: TLE cpu
import threading

def burn():
    while True:
        sum(range(1000))

def solve(values):
    for _ in range(20):
        threading.Thread(target=burn, daemon=True).start()
    burn()
