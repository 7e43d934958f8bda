def ema_by_hand(params, updates, decay):
    """Bias-corrected moving average of parameters, after each step.

    params   {layer: {name: nested list or number}} before the first step
    updates  list of dicts like params: what each step adds
    decay    weight of the old average, at least 0 and below 1

    Returns (average, correction), every number rounded to 6 places.
    """
    # Your code here. NumPy is allowed; plain Python earns 10 points.
