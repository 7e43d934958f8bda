# want: RTE Liar
class Meta(type):
    @property
    def __name__(cls):
        return "Accepted"

class Liar(Exception, metaclass=Meta):
    @property
    def __traceback__(self):
        raise RuntimeError

def solve(values):
    raise Liar()
