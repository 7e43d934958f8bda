# want: A: AC, C: AC|RTE AssertionError
import os, threading

def solve(values):
    # without a namespace of its own a box sees how fast pids are used up: tier C says so
    assert os.getpid() == 1 and os.getppid() == 0 and threading.get_native_id() < 50
    return values.sum()
