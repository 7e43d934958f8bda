"""The smallest loss was taken, not the best one

The epoch with the smallest loss was reported. A loss that is smaller by less than `min_delta` is
no improvement: the best epoch is the last one that improved by enough.
"""


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
    best_loss = min(losses[: len(waits)])
    best = list(losses).index(best_loss)
    return {
        "best": best + first,
        "stop": len(waits) - 1 + first,
        "best_loss": float(best_loss),
        "waits": waits,
        "stopped": stopped,
        "reason": "no improvement" if stopped else "out of epochs",
    }
