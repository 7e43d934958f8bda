"""A loop with a running sum, and formatting for the rounding."""


def grad_clip_by_norm(grads, max_norm):
    total = 0.0
    for grad in grads:
        total += grad**2
    norm = total**0.5

    clipped = []
    for grad in grads:
        if norm > max_norm:
            grad = grad * max_norm / norm
        clipped.append(float(f"{grad:.6f}"))
    return {"clipped_grads": clipped, "global_norm": float(f"{norm:.6f}")}
