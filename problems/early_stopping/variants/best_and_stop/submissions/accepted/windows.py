"""Looks ahead: does any of the next `patience` losses improve? If so, jumps there."""


def early_stopping(losses, patience, min_delta):
    best = 0
    while True:
        window = losses[best + 1 : best + 1 + patience]
        better = [i for i, loss in enumerate(window) if loss < losses[best] - min_delta]
        if not better:
            return best, best + len(window)
        best += better[0] + 1
