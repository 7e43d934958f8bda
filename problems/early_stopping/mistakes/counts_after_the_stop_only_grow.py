"""The counts go on after the stop

There is a count for every loss in the list, although nothing can improve any more after the stop. The run
ends with the epoch in which the patience is used up, and so do the counts.
"""

NOT_IN = ("best_and_stop", "with_reason")  # they return no counts


def mistake(losses, patience, min_delta, first=0, equal="waits"):
    best, best_loss, wait = 0, losses[0], 0
    waits = [0]
    for epoch in range(1, len(losses)):
        loss = losses[epoch]
        needed = best_loss - min_delta
        if max(waits) < patience and (loss < needed or (equal == "improves" and loss == needed)):
            best, best_loss, wait = epoch, loss, 0
        else:
            wait += 1
        waits.append(wait)
    stopped = max(waits) >= patience
    return {
        "best": best + first,
        "stop": len(waits) - 1 + first,
        "best_loss": float(best_loss),
        "waits": waits,
        "stopped": stopped,
        "reason": "no improvement" if stopped else "out of epochs",
    }
