def stop_training(val_losses, patience, min_delta):
    """Stop a training run, and say why. Epochs count from 1.

    Returns {"best_epoch": ..., "stop_epoch": ..., "reason": ...}, where the
    reason is "no improvement" or "out of epochs".
    """
    # Your code here.
