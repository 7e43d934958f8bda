"""A weighted mean of peak and floor, and formatting for the rounding."""


def schedule(steps, peak, floor, warmup, total):
    return {"rates": [float(f"{rate(step + 1, peak, floor, warmup, total):.6f}") for step in steps]}


def rate(count, peak, floor, warmup, total):
    if count <= warmup:
        return count / warmup * peak
    gone, left = count - warmup, max(total - count, 0)
    return (peak * left + floor * gone) / (gone + left)
