"""Wrong: the share of what is left is rounded, and then used."""


def schedule(steps, peak, floor, warmup, total):
    rates = []
    for count in (step + 1 for step in steps):
        if count <= warmup:
            rate = peak * round(count / warmup, 6)
        else:
            left = round(max(0, total - count) / max(1, total - warmup), 6)
            rate = floor + (peak - floor) * left
        rates.append(round(rate, 6))
    return {"rates": rates}
