"""When to stop a training run that no longer improves, and which epoch was its best."""


def core(losses, patience, min_delta, first=0, equal="waits"):
    """Early stopping on a list of validation losses, one for each epoch.

    losses     finite numbers, at least one; smaller is better
    patience   epochs without improvement after which the run is stopped, >= 1
    min_delta  smallest improvement that counts, >= 0
    first      number of the first epoch
    equal      whether an improvement by exactly `min_delta` "waits" or "improves"

    Returns `best` and `stop` (epoch numbers), `best_loss`, `waits` (epochs since the best one, for
    each epoch that was run), `stopped` (False if the losses ran out) and `reason`, the same in words.
    Whole numbers and comparisons only: nothing is rounded but `best_loss - min_delta`.
    """
    best, best_loss = 0, losses[0]
    waits = [0]
    for epoch in range(1, len(losses)):
        needed = best_loss - min_delta
        if losses[epoch] < needed or (equal == "improves" and losses[epoch] == needed):
            best, best_loss = epoch, losses[epoch]
        waits.append(epoch - best)
        if epoch - best >= patience:
            break
    stopped = waits[-1] >= patience
    return {
        "best": best + first,
        "stop": len(waits) - 1 + first,
        "best_loss": float(best_loss),
        "waits": waits,
        "stopped": stopped,
        "reason": "no improvement" if stopped else "out of epochs",
    }
