"""The numbers of one leaf: which types it accepts, and all of them in one array."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.contract import Leaf
from app.model import Value

Numbers: TypeAlias = NDArray[Any]  # bool, integer, float64 or (integers beyond 64 bits) object


def bare(value: Value) -> Value:
    """An array of shape () is the number in it."""
    return value[()] if isinstance(value, np.ndarray) else value


def packed(items: Numbers | Sequence[Value]) -> Numbers:
    """Numbers of one leaf as an array: int64 or float64 if that loses no digit, object if it would."""
    if isinstance(items, np.ndarray):
        return _subtractable(items)
    types = set(map(type, items))
    if types and types <= {bool, np.bool_}:
        return np.array(items, dtype=bool)
    whole = [kind for kind in types if issubclass(kind, int | np.integer)]
    with suppress(OverflowError), np.errstate(over="ignore"):
        if len(whole) == len(types):
            return np.array(items, dtype=np.int64)
        array = np.array(items, dtype=np.float64)
        long = np.flatnonzero(np.abs(array) >= 2.0**53) if whole else ()
        if not any(_is_cut(items[int(place)], float(array[place])) for place in long):
            return array
    return np.array([_plain(item) for item in items], dtype=object)


def _is_cut(item: Value, number: float) -> bool:
    """Whether an integer lost digits on becoming a float64."""
    return isinstance(item, int | np.integer) and int(item) != number


def _subtractable(array: Numbers) -> Numbers:
    if array.dtype == np.longdouble:
        # A long double beyond a float64 is an infinity here: there is no other arithmetic behind.
        with np.errstate(over="ignore"):
            return array.astype(np.float64)
    if array.dtype == np.uint64:
        # Two's complement or Python's integers: never uint64 beside int64, which would wrap.
        return array.astype(np.int64 if array.max(initial=0) <= 2**63 - 1 else object)
    return array


def _plain(number: Value) -> Value:
    if isinstance(number, np.longdouble):
        return float(number)
    return number.item() if isinstance(number, np.generic) else number


def kinds_of(leaf: Leaf) -> str:
    if leaf.dtype_kinds is not None:
        return leaf.dtype_kinds
    return {"integer": "iu", "boolean": "b"}.get(leaf.kind, "fiu")


def refused(items: Sequence[Value], leaf: Leaf) -> list[int]:
    """Where each type that the leaf does not accept first appears, in order."""
    kinds = kinds_of(leaf)
    types = {kind for kind in set(map(type, items)) if np.dtype(kind).kind not in kinds}
    if not types:
        return []
    first: dict[type, int] = {}
    for index, item in enumerate(items):
        if type(item) in types:
            first.setdefault(type(item), index)
    return list(first.values())
