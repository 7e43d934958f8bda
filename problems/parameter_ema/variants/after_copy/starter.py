import numpy as np


def average_parameters(params, updates, decay):
    """Exponential moving average of parameters, taken after each step.

    params   {layer: {name: array}}, the parameters before the first step; must not be changed
    updates  list of dicts of the same structure: what each step adds
    decay    weight of the old average, at least 0 and below 1

    Returns the average in the structure of params.
    """
    # Your code here.
