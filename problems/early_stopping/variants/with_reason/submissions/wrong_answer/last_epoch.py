"""Wrong: a stop in the last epoch is reported as the end of the epochs."""


def stop_training(val_losses, patience, min_delta):
    best = 0
    for epoch, loss in enumerate(val_losses):
        if epoch and loss <= val_losses[best] - min_delta:
            best = epoch
        if epoch - best == patience:
            break
    reason = "no improvement" if epoch + 1 < len(val_losses) else "out of epochs"
    return {"best_epoch": best + 1, "stop_epoch": epoch + 1, "reason": reason}
