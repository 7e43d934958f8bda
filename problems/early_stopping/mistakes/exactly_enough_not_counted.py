"""An improvement of exactly the minimum was not counted

An improvement by exactly `min_delta` is enough here, and with a minimum of 0 a tie is enough.
With `<` in place of `<=` such epochs are counted as waiting.
"""

NOT_IN = ("best_and_stop", "wait_counts")  # it does not count there


def mistake(losses, patience, min_delta, first=0, equal="waits"):
    best, best_loss, wait = 0, losses[0], 0
    waits = [0]
    for epoch in range(1, len(losses)):
        loss = losses[epoch]
        needed = best_loss - min_delta
        if loss < needed:
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
