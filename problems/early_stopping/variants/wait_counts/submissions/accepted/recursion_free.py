"""The epoch of the best loss, and the distance to it."""


def patience_trace(losses, patience, min_delta):
    best, waits = 0, []
    for epoch, loss in enumerate(losses.tolist()):
        if losses[best] - loss > min_delta:
            best = epoch
        waits.append(epoch - best)
        if epoch - best >= patience:
            break
    return [float(losses[best]), waits, waits[-1] >= patience]
