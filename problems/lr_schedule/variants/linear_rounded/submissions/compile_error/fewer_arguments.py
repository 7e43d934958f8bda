"""Wrong: takes no floor."""


def schedule(steps, peak, warmup, total):
    return {"rates": [peak for _ in steps]}
