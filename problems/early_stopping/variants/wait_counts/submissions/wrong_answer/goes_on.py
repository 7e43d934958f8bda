"""Wrong: the counts go on after the stop."""


def patience_trace(losses, patience, min_delta):
    best, waits = losses[0], [0]
    for loss in losses[1:]:
        if loss < best - min_delta:
            best = loss
            waits.append(0)
        else:
            waits.append(waits[-1] + 1)
    return [best, waits, max(waits) >= patience]
