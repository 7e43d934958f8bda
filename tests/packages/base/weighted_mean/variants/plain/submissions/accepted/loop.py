# A plain loop.
def weighted_mean(values, weights):
    total = 0.0
    weight = 0.0
    for v, w in zip(values, weights):
        total += v * w
        weight += w
    return total / weight
