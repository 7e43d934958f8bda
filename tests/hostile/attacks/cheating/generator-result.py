# want: WA
def solve(values):
    def endless():
        while True:
            yield 1

    return endless()
