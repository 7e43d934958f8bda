"""Epochs were counted from 1

The first epoch has the number 0 here. Both epochs are too large by one.
"""

NOT_IN = ("with_reason", "wait_counts")  # one counts from 1, the other returns no epoch


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
    stopped = wait >= patience
    best += 1
    return {
        "best": best + first,
        "stop": len(waits) + first,
        "best_loss": float(best_loss),
        "waits": waits,
        "stopped": stopped,
        "reason": "no improvement" if stopped else "out of epochs",
    }
