# Exact sums.
import math


def weighted_report(values, weights):
    total = math.fsum(weights)
    mean = math.fsum(map(lambda v, w: v * w, values, weights)) / total
    return {"mean": float(f"{mean:.4f}"), "total": total}
