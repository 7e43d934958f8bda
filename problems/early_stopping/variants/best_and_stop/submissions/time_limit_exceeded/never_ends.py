"""Wrong: the loop ends with the patience only, and waits for it when the losses have run out."""


def early_stopping(losses, patience, min_delta):
    best, epoch, stopped = 0, 0, len(losses) < 300
    while epoch - best < patience:
        if stopped and epoch == len(losses) - 1:
            break
        epoch = min(epoch + 1, len(losses) - 1)
        if losses[epoch] < losses[best] - min_delta:
            best = epoch
    return best, epoch
