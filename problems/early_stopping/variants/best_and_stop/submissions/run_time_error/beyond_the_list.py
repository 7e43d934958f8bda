"""Wrong: looks at `patience` later losses, which need not be there."""


def early_stopping(losses, patience, min_delta):
    best, epoch = 0, 0
    while epoch - best < patience:
        epoch += 1
        if losses[epoch] < losses[best] - min_delta:
            best = epoch
    return best, epoch
