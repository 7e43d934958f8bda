# want: MLE|RTE
import sys

def f(g):
    return g(g)

def solve(values):
    sys.setrecursionlimit(10**9)
    return f(f)
