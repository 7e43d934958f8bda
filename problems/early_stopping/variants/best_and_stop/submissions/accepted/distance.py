"""No counter: the distance to the best epoch says how long the run has waited."""


def early_stopping(losses, patience, min_delta):
    best = 0
    for epoch in range(len(losses)):
        if losses[best] - losses[epoch] > min_delta:
            best = epoch
        if epoch - best >= patience:
            break
    return best, epoch
