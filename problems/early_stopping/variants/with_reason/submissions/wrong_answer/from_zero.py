"""Wrong: epochs are counted from 0."""


def stop_training(val_losses, patience, min_delta):
    best = 0
    for epoch, loss in enumerate(val_losses):
        if epoch and loss <= val_losses[best] - min_delta:
            best = epoch
        if epoch - best == patience:
            return {"best_epoch": best, "stop_epoch": epoch, "reason": "no improvement"}
    return {"best_epoch": best, "stop_epoch": epoch, "reason": "out of epochs"}
