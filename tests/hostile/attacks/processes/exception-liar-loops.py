# want: TLE cpu
class Liar(Exception):
    def __str__(self):
        while True:
            pass

def solve(values):
    raise Liar()
