"""The minimum improvement was ignored

Any smaller loss was taken for an improvement, and an equal one for none. It has to be smaller than the best
one by at least `min_delta`, so with a minimum of 0 a tie counts.
"""

NOT_IN = ("best_and_stop", "wait_counts")  # ties wait there anyway


def mistake(losses, patience, min_delta, first=0, equal="waits"):
    best, best_loss, wait = 0, losses[0], 0
    waits = [0]
    for epoch in range(1, len(losses)):
        loss = losses[epoch]
        if loss < best_loss:
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
