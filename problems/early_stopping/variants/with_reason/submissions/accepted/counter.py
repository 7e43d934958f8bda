"""A loop with a counter, epochs from 1."""


def stop_training(val_losses, patience, min_delta):
    best_epoch, best_loss, waited = 1, val_losses[0], 0
    for epoch, loss in enumerate(val_losses[1:], start=2):
        if loss <= best_loss - min_delta:
            best_epoch, best_loss, waited = epoch, loss, 0
        else:
            waited += 1
        if waited == patience:
            return {"best_epoch": best_epoch, "stop_epoch": epoch, "reason": "no improvement"}
    return {
        "best_epoch": best_epoch,
        "stop_epoch": len(val_losses),
        "reason": "out of epochs",
    }
