"""Wrong: an argument name is used twice."""


def clip_grad_norm(grads, grads):
    return [grads, 0.0]
