"""Epochs were counted from 0

The first epoch has the number 1 here. Both epochs are too small by one.
"""

NOT_IN = ("best_and_stop", "wait_counts")  # one counts from 0, the other returns no epoch


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
    best -= 1
    return {
        "best": best + first,
        "stop": len(waits) - 2 + first,
        "best_loss": float(best_loss),
        "waits": waits,
        "stopped": stopped,
        "reason": "no improvement" if stopped else "out of epochs",
    }
