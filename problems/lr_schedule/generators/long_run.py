"""Steps drawn from a long run, some of them past its end."""

import random


def generate(seed, count, peak, floor, warmup, total):
    """Inputs with `count` steps between 0 and a tenth more than `total`, in random order."""
    rng = random.Random(seed)
    steps = [rng.randrange(total + total // 10) for _ in range(count)]
    return {"steps": steps, "peak": peak, "floor": floor, "warmup": warmup, "total": total}
