"""Plain Python, one branch for each part. Earns the bonus."""


def schedule(steps, peak, floor, warmup, total):
    rates = []
    for step in steps:
        count = step + 1
        if count <= warmup:
            rate = peak * count / warmup
        elif count < total:
            rate = floor + (peak - floor) * (total - count) / (total - warmup)
        else:
            rate = floor
        rates.append(round(rate, 6))
    return {"rates": rates}
