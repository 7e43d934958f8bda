# want: WA
class F(float):
    def __eq__(self, other):
        return True

    __hash__ = float.__hash__

def solve(values):
    return F(values.sum())
