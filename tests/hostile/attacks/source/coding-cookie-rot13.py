# want: AC
# -*- coding: rot13 -*-
def solve(values):
    return values.sum()
