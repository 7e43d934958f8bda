"""The number of epochs was reported instead of the last one

When the losses run out, the run ends in its last epoch. The length of the list is one more than
the last index.
"""

NOT_IN = ("with_reason", "wait_counts")  # there the two are the same, or not returned


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
    return {
        "best": best + first,
        "stop": (len(waits) - 1 if stopped else len(waits)) + first,
        "best_loss": float(best_loss),
        "waits": waits,
        "stopped": stopped,
        "reason": "no improvement" if stopped else "out of epochs",
    }
