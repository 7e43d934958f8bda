# want: OLE
# limits: time_s=3 wall_s=9
def solve(values):
    nested = []
    for _ in range(10**6):
        nested = [nested]
    return nested
