"""Wrong: takes one argument, the tests pass two."""


def clip_gradients(gradients):
    return {"clipped_gradients": list(gradients), "global_norm": 0.0}
