"""Wrong: prints without end."""


def clip_by_global_norm(grads, max_norm):
    while True:
        print("gradient " * 1000)
