def grad_clip_by_norm(grads, max_norm):
    """Clip a flat list of numbers by its L2 norm.

    grads     list of at least one number
    max_norm  positive number

    Returns {"clipped_grads": [numbers], "global_norm": norm}, with the norm
    before clipping, every number rounded to 6 places.
    """
    # Your code here. NumPy is allowed; plain Python earns 10 points.
