# want: AC
def solve(values):
    answer = values.sum()
    values[:] = 0
    return answer
