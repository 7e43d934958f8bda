"""Wrong: the line goes on below the floor."""


def learning_rates(steps, peak, floor, warmup, total):
    rates = []
    for step in steps:
        if step <= warmup and warmup > 0:
            rates.append(peak * step / warmup)
        else:
            rates.append(peak - (peak - floor) * (step - warmup) / max(1, total - warmup))
    return rates
