# want: RTE
def solve(values):
    raise type("E" * 100_000, (Exception,), {})("x")
