# want: WA
class D(dict):
    def __eq__(self, other):
        return True

def solve(values):
    return [D(), type("S", (str,), {})("x"), b"x", bytearray(8), type("L", (list,), {})()]
