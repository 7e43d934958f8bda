"""Wrong: collects every product of two entries in a list that never stops growing."""


def clip_by_global_norm(grads, max_norm):
    pairs = []
    while True:
        pairs.append([len(pairs)] * 4096)
