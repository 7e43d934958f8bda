"""Divided by the number of values

The weighted sum is divided by the total weight, not by how many values there are.
"""


def mistake(values, weights, offset):
    return {"mean": sum(v * w for v, w in zip(values, weights)) / len(values), "total": sum(weights)}
