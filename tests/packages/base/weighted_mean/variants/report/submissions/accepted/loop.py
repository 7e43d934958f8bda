# A plain loop.
def weighted_report(values, weights):
    products = 0.0
    total = 0.0
    for v, w in zip(values, weights):
        products += v * w
        total += w
    return {"mean": round(products / total, 4), "total": total}
