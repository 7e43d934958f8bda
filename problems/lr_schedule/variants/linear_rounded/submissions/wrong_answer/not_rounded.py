"""Wrong: all digits."""


def schedule(steps, peak, floor, warmup, total):
    rates = []
    for count in (step + 1 for step in steps):
        if count <= warmup:
            rates.append(peak * count / warmup)
        else:
            rates.append(floor + (peak - floor) * max(0, total - count) / max(1, total - warmup))
    return {"rates": rates}
