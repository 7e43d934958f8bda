"""The distance to the best epoch, and the reason decided at the end."""


def stop_training(val_losses, patience, min_delta):
    best = 0
    for epoch in range(len(val_losses)):
        if val_losses[best] - val_losses[epoch] >= min_delta:
            best = epoch
        if epoch - best == patience:
            break
    reasons = {True: "no improvement", False: "out of epochs"}
    return {
        "best_epoch": best + 1,
        "stop_epoch": epoch + 1,
        "reason": reasons[epoch - best == patience],
    }
