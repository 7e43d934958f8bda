"""A stop in the last epoch was taken for the end

The patience can run out in the very last epoch. That is a stop for want of improvement, also if
there would have been no further epoch anyway. Decide by the counter, not by whether losses are
left.
"""

NOT_IN = ("best_and_stop",)  # it does not ask why


def mistake(losses, patience, min_delta, first=0, equal="waits"):
    best, best_loss, wait = 0, losses[0], 0
    waits = [0]
    for epoch in range(1, len(losses)):
        loss = losses[epoch]
        needed = best_loss - min_delta
        if loss < needed or (equal == "improves" and loss == needed):
            best, best_loss, wait = epoch, loss, 0
        else:
            wait += 1
        waits.append(wait)
        if wait >= patience:
            break
    stopped = len(waits) < len(losses)
    return {
        "best": best + first,
        "stop": len(waits) - 1 + first,
        "best_loss": float(best_loss),
        "waits": waits,
        "stopped": stopped,
        "reason": "no improvement" if stopped else "out of epochs",
    }
