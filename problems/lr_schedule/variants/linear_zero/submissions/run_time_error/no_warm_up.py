"""Wrong: divides by the length of the warm-up, which may be 0."""


def learning_rates(steps, peak, floor, warmup, total):
    rates = []
    for step in steps:
        rise = peak * step / warmup
        gone = min(1.0, max(0.0, (step - warmup) / max(1, total - warmup)))
        rates.append(min(rise, peak + (floor - peak) * gone))
    return rates
