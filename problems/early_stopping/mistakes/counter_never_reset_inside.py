"""The counter was not set back

The count of an epoch that improves is 0, but the counter goes on from where it was in the next epoch that
waits. An improvement gives the whole patience back.
"""

NOT_IN = ("best_and_stop", "with_reason")  # they return no counts


def mistake(losses, patience, min_delta, first=0, equal="waits"):
    best, best_loss, wait = 0, losses[0], 0
    waits = [0]
    for epoch in range(1, len(losses)):
        loss = losses[epoch]
        needed = best_loss - min_delta
        if loss < needed or (equal == "improves" and loss == needed):
            best, best_loss = epoch, loss
            waits.append(0)
            continue
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
