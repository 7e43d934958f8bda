# want: AC
# -*- coding: utf-7 -*-
def solve(values):
    # +AAoAcgBlAHQAdQByAG4AIAAw-
    return values.sum()
