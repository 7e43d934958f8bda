"""A loop with a counter."""


def early_stopping(losses, patience, min_delta):
    best, waited = 0, 0
    for epoch, loss in enumerate(losses):
        if loss < losses[best] - min_delta:
            best, waited = epoch, 0
        elif epoch > 0:
            waited += 1
        if waited == patience:
            return best, epoch
    return best, len(losses) - 1
