# want: AC
def solve(values):
    assert hash("allclose") == hash("allclose") and list({"b", "a", "c"}) == list({"b", "a", "c"})
    return values.sum()
