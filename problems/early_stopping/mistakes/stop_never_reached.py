"""The planned stop was reported although the losses ran out

The stop was computed as the best epoch plus the patience. That is right only if the run was
stopped; if the losses run out first, it ends with the last of them.
"""

NOT_IN = ("wait_counts",)  # it returns no epoch


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
        "stop": best + patience + first,
        "best_loss": float(best_loss),
        "waits": waits,
        "stopped": stopped,
        "reason": "no improvement" if stopped else "out of epochs",
    }
