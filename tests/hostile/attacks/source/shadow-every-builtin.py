# want: AC
len = type = print = open = isinstance = dict = list = tuple = str = None

def solve(values):
    return values.sum()
