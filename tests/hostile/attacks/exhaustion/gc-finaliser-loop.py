# want: TLE cpu
class Undead:
    def __del__(self):
        while True:
            pass

def solve(values):
    Undead()
    return values.sum()
