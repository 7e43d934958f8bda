def weighted_report(values, weights):
    """A dict with the mean of the values and the total weight."""
