"""Wrong: the reason is in other words than the two that are asked for."""


def stop_training(val_losses, patience, min_delta):
    best = 0
    for epoch, loss in enumerate(val_losses):
        if epoch and loss <= val_losses[best] - min_delta:
            best = epoch
        if epoch - best == patience:
            return {"best_epoch": best + 1, "stop_epoch": epoch + 1, "reason": "patience"}
    return {"best_epoch": best + 1, "stop_epoch": epoch + 1, "reason": "end"}
