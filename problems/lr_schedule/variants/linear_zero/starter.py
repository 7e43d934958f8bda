def learning_rates(steps, peak, floor, warmup, total):
    """Learning rates of a linear warm-up from zero and a linear decay.

    steps   list of step indices, in any order
    peak    rate at step `warmup`
    floor   rate at step `total` and after it
    warmup  number of warm-up steps, may be 0
    total   number of steps of the run

    Returns a list with one rate for each step.
    """
    # Your code here.
