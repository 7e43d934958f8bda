"""Wrong: the decay is not an argument."""


def corrected_average(params, updates):
    return {"average": params, "correction": 1.0}
