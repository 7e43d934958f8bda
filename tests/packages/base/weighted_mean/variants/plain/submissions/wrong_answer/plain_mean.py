# Ignores the weights.
def weighted_mean(values, weights):
    return sum(values) / len(values)
