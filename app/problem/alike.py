"""Has a dict the keys and shapes of another argument, at every place?"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from app.errors import FieldError, Invalid
from app.model import Value
from app.problem import typed


def unlike(value: Value, other: Value, where: str, name: str) -> Iterator[FieldError]:
    """Where `value` has other keys or shapes than the argument `name`, which is `other`."""
    if isinstance(value, dict) and isinstance(other, dict):
        if set(value) != set(other):
            keys = ", ".join(f'"{key}"' for key in other) or "none"
            yield FieldError(where, f"must have the keys of {name}: {keys}")
            return
        for key in other:
            yield from unlike(value[key], other[key], f"{where}.{key}", f"{name}.{key}")
        return
    mine, wanted = shape_of(value), shape_of(other)
    if mine is not None and wanted is not None and mine != wanted:
        yield FieldError(where, f"must have the shape of {name}, {wanted}")


def shape_of(value: Value) -> tuple[int, ...] | None:
    """The shape of numbers; None where they have a fault of their own, which is told at its place."""
    if isinstance(value, np.ndarray):
        return tuple(value.shape)
    if type(value) is tuple:
        return shape_of(list(value))
    if not isinstance(value, int | float | complex | list | np.generic):
        return None
    try:
        return tuple(typed.nested_shape(value, ""))
    except Invalid:
        return None
