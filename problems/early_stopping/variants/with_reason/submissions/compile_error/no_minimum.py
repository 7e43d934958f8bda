"""Wrong: takes no minimum improvement."""


def stop_training(val_losses, patience):
    return {"best_epoch": 1, "stop_epoch": 1, "reason": "out of epochs"}
