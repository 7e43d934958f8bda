def schedule(steps, peak, floor, warmup, total):
    """Linear warm-up and linear decay; the first step counts as 1.

    Returns {"rates": [one rate for each of steps, rounded to 6 places]}.
    """
    # Your code here. NumPy is allowed; plain Python earns 10 points.
