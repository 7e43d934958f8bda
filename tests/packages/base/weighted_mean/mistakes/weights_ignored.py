"""The weights were ignored

Every value counts once here. Multiply each value by its weight first.
"""


def mistake(values, weights, offset):
    return {"mean": sum(values) / len(values), "total": sum(weights)}
