# want: RTE Liar|MLE
class Liar(Exception):
    def __str__(self):
        return "x" * (100 << 20)

def solve(values):
    raise Liar()
