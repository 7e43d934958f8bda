"""A call that does a little of what most do, gone through so that boxes find the interpreter warm.

Code is specialised then, caches are filled, and few pages are left to copy. A runtime does it a few
times before it makes any box. A box that nobody needs for a moment does it once: it then has its own
copy of most pages that a call writes to, and the learner's starts at once. Where boxes are needed as
fast as they are made, that would only be work done twice.
"""

from __future__ import annotations

import gc
import marshal
import sys

from app.sandbox import inside, wire
from app.sandbox.encode import Encoder

_WITHOUT = """
import math
def f(values, factor=1.0):
    total = 0.0
    for value in values:
        total += math.sqrt(factor)
    return [value for value in values], float(total)
"""
_WITH_ARRAYS = """
import math
import numpy as np
def f(values, factor=1.0):
    total = 0.0
    for value in values:
        total += float(np.sum(value * value))
    norm = math.sqrt(total)
    scale = factor / norm if norm > factor else 1.0
    return tuple(value * scale for value in values), np.float64(norm)
"""
_INFINITE = -1


def _frame(compiled: bool) -> bytes:
    encoder = Encoder(1 << 20)
    arrays = wire.numpy is not None
    source = _WITH_ARRAYS if arrays else _WITHOUT
    encoder.plain(source, "f", 1, 1 << 20, _INFINITE, _INFINITE, _INFINITE)
    encoder.code(marshal.dumps(compile(source, inside.FILE, "exec")) if compiled else True)
    encoder.value([[wire.numpy.ones((2, 2))] if arrays else [1.0, 2], 1.0])
    return encoder.frame(wire.CALL)


FRAMES = _frame(compiled=False), _frame(compiled=True)


def once() -> None:
    """Everything of a call but what would be seen outside."""
    for frame in FRAMES:
        task, _ = inside.unpacked(frame, ())
        kind, encoder = inside.report(task, -1)
        encoder.frame(kind)
    del sys.modules[inside.MODULE]
    gc.disable()
