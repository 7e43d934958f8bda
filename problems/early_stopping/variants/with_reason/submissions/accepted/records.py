"""All records of the list first; then the first gap between them that is too long."""


def stop_training(val_losses, patience, min_delta):
    records = [0]
    for epoch, loss in enumerate(val_losses):
        if loss <= val_losses[records[-1]] - min_delta:
            records.append(epoch)
    for here, following in zip(records, records[1:] + [len(val_losses)]):
        if following - here > patience:
            return answer(here, here + patience, "no improvement")
    return answer(records[-1], len(val_losses) - 1, "out of epochs")


def answer(best, stop, reason):
    return {"best_epoch": best + 1, "stop_epoch": stop + 1, "reason": reason}
