import numpy as np


def corrected_average(params, updates, decay):
    """Bias-corrected moving average of parameters, before each step.

    params   {layer: {name: array}}, the parameters before the first step
    updates  list of dicts like params: what each step adds
    decay    weight of the old average, at least 0 and below 1

    Returns {"average": the corrected average, "correction": its divisor}.
    """
    # Your code here.
