"""Wrong: walks to each step one by one, and far beyond the end with the smallest of strides."""


def learning_rates(steps, peak, floor, warmup, total):
    rates = []
    for step in steps:
        at = 0.0
        while at < step:
            at += 1.0 if step <= total + 200 else 1e-9
        if at <= warmup and warmup > 0:
            rates.append(peak * at / warmup)
        else:
            rates.append(peak + (floor - peak) * min(1.0, (at - warmup) / max(1, total - warmup)))
    return rates
