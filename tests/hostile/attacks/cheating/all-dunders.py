# want: WA
class Liar:
    def __eq__(self, other):
        return True

    __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = lambda *a: True
    __sub__ = __rsub__ = __abs__ = __float__ = __int__ = __index__ = __round__ = lambda *a: 0
    __array__ = lambda *a, **k: __import__("numpy").zeros(())
    __len__ = lambda self: 1
    __iter__ = lambda self: iter([0])

def solve(values):
    return Liar()
