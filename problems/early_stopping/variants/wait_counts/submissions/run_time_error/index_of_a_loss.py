"""Wrong: arrays have no `index`."""


def patience_trace(losses, patience, min_delta):
    best = losses.index(min(losses))
    return [losses[best], [0], False]
