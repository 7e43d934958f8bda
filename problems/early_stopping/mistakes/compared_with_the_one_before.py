"""Compared with the epoch before instead of the best

Each loss was compared with that of the epoch before. After a bad epoch anything looks like an
improvement, and a slow improvement is never noticed. Keep the best loss so far and compare with
that.
"""


def mistake(losses, patience, min_delta, first=0, equal="waits"):
    best, best_loss, wait = 0, losses[0], 0
    waits = [0]
    for epoch in range(1, len(losses)):
        loss = losses[epoch]
        needed = losses[epoch - 1] - min_delta
        if loss < needed or (equal == "improves" and loss == needed):
            best, best_loss, wait = epoch, loss, 0
        else:
            wait += 1
        waits.append(wait)
        if wait >= patience:
            break
    stopped = wait >= patience
    return {
        "best": best + first,
        "stop": len(waits) - 1 + first,
        "best_loss": float(best_loss),
        "waits": waits,
        "stopped": stopped,
        "reason": "no improvement" if stopped else "out of epochs",
    }
