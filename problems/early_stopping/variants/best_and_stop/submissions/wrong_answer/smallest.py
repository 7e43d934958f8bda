"""Wrong: the best epoch is that of the smallest loss in the whole list."""


def early_stopping(losses, patience, min_delta):
    best = 0
    for epoch, loss in enumerate(losses):
        if loss < losses[best] - min_delta:
            best = epoch
        if epoch - best >= patience:
            break
    return losses.index(min(losses)), epoch
