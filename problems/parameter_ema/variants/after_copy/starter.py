import numpy as np


def average_parameters(params, updates, decay):
    """Exponential moving average of parameters, taken after each step.

    params   {layer: {name: array}} before the first step; not to be changed
    updates  list of dicts like params: what each step adds
    decay    weight of the old average, at least 0 and below 1

    Returns the average in the structure of params.
    """
    # Your code here.
