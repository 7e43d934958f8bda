"""Wrong: an improvement of exactly the minimum counts."""


def early_stopping(losses, patience, min_delta):
    best = 0
    for epoch, loss in enumerate(losses):
        if loss <= losses[best] - min_delta:
            best = epoch
        if epoch - best >= patience:
            break
    return best, epoch
