# Ignores the weights.
def weighted_report(values, weights):
    return {"mean": round(sum(values) / len(values), 4), "total": sum(weights)}
