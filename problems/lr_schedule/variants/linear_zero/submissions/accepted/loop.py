"""A loop with one branch for each part of the run."""


def learning_rates(steps, peak, floor, warmup, total):
    rates = []
    for step in steps:
        if 0 < warmup and step <= warmup:
            rates.append(peak * step / warmup)
        elif step < total:
            rates.append(floor + (peak - floor) * (total - step) / (total - warmup))
        else:
            rates.append(floor)
    return rates
