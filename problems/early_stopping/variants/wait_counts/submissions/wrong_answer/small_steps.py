"""Wrong: small improvements lower the best loss, although they do not count."""


def patience_trace(losses, patience, min_delta):
    best, waits = losses[0], [0]
    for loss in losses[1:]:
        waits.append(0 if loss < best - min_delta else waits[-1] + 1)
        best = min(best, loss)
        if waits[-1] == patience:
            break
    return [best, waits, waits[-1] == patience]
