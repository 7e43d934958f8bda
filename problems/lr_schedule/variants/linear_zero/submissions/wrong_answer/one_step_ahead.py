"""Wrong: counts the first step as 1."""


def learning_rates(steps, peak, floor, warmup, total):
    rates = []
    for step in steps:
        count = step + 1
        if count <= warmup:
            rates.append(peak * count / warmup)
        else:
            gone = min(1.0, (count - warmup) / max(1, total - warmup))
            rates.append(peak + (floor - peak) * gone)
    return rates
