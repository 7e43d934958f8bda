import numpy as np


def patience_trace(losses, patience, min_delta):
    """Count, epoch by epoch, how long the run has been waiting.

    losses     1-D array of validation losses
    patience   the count at which the run is stopped
    min_delta  an improvement is more than this

    Returns [best_loss, waits, stopped]: a number, a list of whole numbers,
    and True or False.
    """
    # Your code here.
