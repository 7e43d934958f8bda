# want: WA
class Equal:
    def __eq__(self, other):
        return True

def solve(values):
    return Equal()
