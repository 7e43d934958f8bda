import numpy as np


def corrected_average(params, updates, decay):
    """Bias-corrected moving average of the parameters that each step starts from.

    params   {layer: {name: array}}, the parameters before the first step
    updates  list of dicts like params: what each step adds
    decay    weight of the old average, at least 0 and below 1

    Returns {"average": the corrected average, "correction": what it was divided by}.
    """
    # Your code here.
