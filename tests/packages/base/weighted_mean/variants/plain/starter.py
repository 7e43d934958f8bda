def weighted_mean(values, weights):
    """The mean of the values, each counted by its weight."""
