import numpy as np


def cosine_schedule(steps, lr_max, lr_min, warmup_steps, total_steps):
    """Linear warm-up and cosine decay; the first step counts as 1.

    steps         list of step indices from 0, in any order
    lr_max        rate at the end of the warm-up
    lr_min        rate at the end of the run and after it
    warmup_steps  number of warm-up steps, may be 0
    total_steps   number of steps of the run

    Returns a 1-D array with one rate for each step.
    """
    # Your code here.
