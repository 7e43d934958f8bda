def early_stopping(losses, patience, min_delta):
    """Say which epoch was the best and with which one the run ends.

    losses     list of validation losses, one for each epoch, from epoch 0
    patience   epochs without improvement that end the run
    min_delta  an improvement is more than this

    Returns (best_epoch, stop_epoch).
    """
    # Your code here.
