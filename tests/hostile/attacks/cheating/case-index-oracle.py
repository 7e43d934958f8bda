# want: WA
answers = iter([6.0, 6.0, 6.0])

def solve(values):
    return next(answers)
