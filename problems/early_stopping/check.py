"""The same by looking back from every epoch, in exact fractions."""

from fractions import Fraction


def check(losses, patience, min_delta, first=0, equal="waits"):
    """Outputs of the core. The records of the whole list come first, and the stop is found in them.

    Whether a loss is a record does not depend on where the run stops, so the two can be separated.
    """
    exact = [Fraction(float(loss)) for loss in losses]
    records = [0]
    for epoch, loss in enumerate(exact):
        gain = exact[records[-1]] - loss
        if epoch and (gain > Fraction(min_delta) or (equal == "improves" and gain == min_delta)):
            records.append(epoch)
    since = [epoch - max(r for r in records if r <= epoch) for epoch in range(len(exact))]
    stops = [epoch for epoch, wait in enumerate(since) if wait >= patience]
    last = stops[0] if stops else len(exact) - 1
    best = last - since[last]
    return {
        "best": best + first,
        "stop": last + first,
        "best_loss": float(losses[best]),
        "waits": since[: last + 1],
        "stopped": bool(stops),
        "reason": "no improvement" if stops else "out of epochs",
    }
