# want: RTE Liar
class Liar(Exception):
    def __str__(self):
        raise Liar()

    __repr__ = __str__

def solve(values):
    raise Liar()
