"""The domain of a contract: does a value lie in it, and where does it not?"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping
from typing import Any, assert_never

import numpy as np

from app.contract import (
    AnySequence,
    Argument,
    Contract,
    Dict,
    DictOf,
    Leaf,
    List,
    ListOf,
    Tuple,
)
from app.errors import FieldError, Invalid
from app.model import Unsupported, Value
from app.problem import typed
from app.problem.alike import shape_of, unlike

# An array that is handed over as integers or booleans is not made from anything else.
_KINDS_FOR = {"i": "iu", "b": "b"}
_DTYPE_KINDS = {
    "f": "decimal numbers",
    "i": "integers",
    "u": "integers",
    "b": "booleans",
    "c": "complex numbers",
}


def misfits(
    arguments: tuple[Argument, ...], values: Mapping[str, Value], prefix: str = ""
) -> Iterator[FieldError]:
    """Where named values break the contracts of their arguments."""
    for argument in arguments:
        where = f"{prefix}{argument.name}"
        yield from _misfits(values[argument.name], argument.contract, where, values)


def _misfits(
    value: Value, contract: Contract, where: str, others: Mapping[str, Value]
) -> Iterator[FieldError]:
    match contract:
        case Leaf():
            yield from _leaf(value, contract, where, others)
        case Dict(fields):
            yield from _keys(value, tuple(k for k, _ in fields), where)
            for key, item in fields:
                if type(value) is dict and key in value:
                    yield from _misfits(value[key], item, f"{where}.{key}", others)
        case DictOf(item):
            if type(value) is not dict:
                yield FieldError(where, f"a dict is asked for, not {_kind(value)}")
                return
            for key, entry in value.items():
                yield from _misfits(entry, item, f"{where}.{key}", others)
            if len(value) < contract.min_items:
                yield FieldError(where, f"needs at least {_count(contract.min_items)}")
            if contract.like is not None and contract.like in others:
                yield from unlike(value, others[contract.like], where, contract.like)
        case Tuple(items) | List(items):
            if type(value) not in (list, tuple) or len(value) != len(items):  # type: ignore[arg-type]
                yield FieldError(where, f"a list of exactly {len(items)} items is asked for")
                return
            for i, (entry, item) in enumerate(zip(value, items, strict=True)):  # type: ignore[call-overload]
                yield from _misfits(entry, item, f"{where}[{i}]", others)
        case ListOf() | AnySequence():
            yield from _many(value, contract, where, others)
        case _:
            assert_never(contract)


def _keys(value: Value, wanted: tuple[str, ...], where: str) -> Iterator[FieldError]:
    if type(value) is not dict:
        yield FieldError(where, f"a dict is asked for, not {_kind(value)}")
    elif set(value) != set(wanted):
        yield FieldError(where, f"the keys {', '.join(wanted)} are asked for")


def _many(
    value: Value, contract: ListOf | AnySequence, where: str, others: Mapping[str, Value]
) -> Iterator[FieldError]:
    if type(value) not in (list, tuple):
        yield FieldError(where, f"a list is asked for, not {_kind(value)}")
        return
    items: list[Value] = list(value)  # type: ignore[call-overload]
    if len(items) < contract.min_items:
        yield FieldError(where, f"needs at least {_count(contract.min_items)}")
    if contract.max_items is not None and len(items) > contract.max_items:
        yield FieldError(where, f"may have at most {_count(contract.max_items)}, has {len(items)}")
    for i, item in enumerate(items):
        yield from _misfits(item, contract.item, f"{where}[{i}]", others)


def _count(items: int) -> str:
    return "one item" if items == 1 else f"{items} items"


def _leaf(
    value: Value, leaf: Leaf, where: str, others: Mapping[str, Value]
) -> Iterator[FieldError]:
    if leaf.kind in ("number", "integer", "boolean", "string"):
        if not _single(value, leaf):
            yield FieldError(where, f"{_asked(leaf)} is asked for, not {_kind(value)}")
        elif leaf.kind in ("number", "integer"):
            yield from _bounds(np.asarray(_bounded(value)), leaf, where, others)
        return
    try:
        array = _numbers(value, where)
    except Invalid as error:
        yield from error.errors
        return
    kinds = leaf.dtype_kinds or _KINDS_FOR.get(np.dtype(leaf.dtype or "float64").kind, "fiu")
    if array.size and array.dtype.kind not in kinds:
        wanted = " or ".join(dict.fromkeys(_DTYPE_KINDS[kind] for kind in kinds))
        yield FieldError(where, f"an array of {wanted} is asked for")
        return
    yield from _shape(array, leaf, where, others)
    yield from _bounds(array, leaf, where, others)


def _single(value: Value, leaf: Leaf) -> bool:
    plain = value.item() if isinstance(value, np.generic) else value
    allowed = {
        "number": (int, float, complex) if "c" in (leaf.dtype_kinds or "") else (int, float),
        "integer": (int,),
        "boolean": (bool,),
        "string": (str,),
    }[leaf.kind]
    return type(plain) in allowed


def _bounded(value: Value) -> Value:
    """An integer beyond the range of float compares as an infinity would."""
    if type(value) is int and abs(value) >= 2**1024:
        return math.inf if value > 0 else -math.inf
    return float(value) if type(value) is int else value


def _numbers(value: Value, where: str) -> np.ndarray[Any, np.dtype[Any]]:
    """An array, or nested lists of numbers, as an array. Raises Invalid with the place."""
    if isinstance(value, np.ndarray):
        return value
    if type(value) is tuple:
        return _numbers(list(value), where)
    shape = typed.nested_shape(value, where)
    for entry, place in typed.entries(value, where):
        if type(entry) not in (int, float, bool) and not isinstance(entry, np.generic):
            message = f"a number is asked for, not {_kind(entry)}"
            raise Invalid(message, (FieldError(place, message),))
    flat = [_bounded(entry) for entry, _ in typed.entries(value, where)]
    kinds = {type(entry) for entry, _ in typed.entries(value, where)}
    dtype = "bool" if kinds == {bool} else "int64" if kinds == {int} else "float64"
    if dtype == "int64" and any(not -(2**63) <= x < 2**63 for x in flat):  # type: ignore[operator]
        message = "holds an integer too large for an array"
        raise Invalid(message, (FieldError(where, message),))
    if bool in kinds and len(kinds) > 1:
        message = "mixes numbers and booleans"
        raise Invalid(message, (FieldError(where, message),))
    return np.array(flat, dtype=dtype).reshape(shape)


def _shape(
    array: np.ndarray[Any, np.dtype[Any]], leaf: Leaf, where: str, others: Mapping[str, Value]
) -> Iterator[FieldError]:
    if leaf.shape is not None:
        fits = len(leaf.shape) == array.ndim and all(
            want in (None, have) for want, have in zip(leaf.shape, array.shape, strict=True)
        )
        if not fits:
            wanted = ", ".join("any" if n is None else str(n) for n in leaf.shape)
            yield FieldError(where, f"the shape ({wanted}) is asked for, not {array.shape}")
    if leaf.like is not None and leaf.like in others:
        other = shape_of(others[leaf.like])
        if other is not None and other != array.shape:
            yield FieldError(where, f"must have the shape of {leaf.like}, {other}")
    if array.size < leaf.min_size:
        yield FieldError(where, f"needs at least {leaf.min_size} number{'s'[: leaf.min_size > 1]}")


def _bounds(
    array: np.ndarray[Any, np.dtype[Any]], leaf: Leaf, where: str, others: Mapping[str, Value]
) -> Iterator[FieldError]:
    """The first entry outside the bounds, at its own place."""
    rules: tuple[tuple[bool, Callable[[Any], Any], str], ...] = (
        (leaf.finite, np.isfinite, "must be finite"),
        _rule(leaf.above, operator.gt, "must be above", others),
        _rule(leaf.below, operator.lt, "must be below", others),
        _rule(leaf.minimum, operator.ge, "must be at least", others),
        _rule(leaf.maximum, operator.le, "must be at most", others),
    )
    for applies, holds, message in rules:
        if applies and not (good := np.asarray(holds(array))).all():
            index = tuple(int(i) for i in np.argwhere(~good)[0])
            yield FieldError(where + "".join(f"[{i}]" for i in index), message)
            return


def _rule(
    bound: float | str | None,
    compares: Callable[[Any, Any], Any],
    words: str,
    others: Mapping[str, Value],
) -> tuple[bool, Callable[[Any], Any], str]:
    name = ""
    if isinstance(bound, str):
        name, other = bound, _bounded(others.get(bound))
        bound = float(other) if isinstance(other, int | float | np.number) else None
    if bound is None:
        return False, np.isfinite, ""
    shown = f"{name}, {bound:g}" if name else f"{bound:g}"
    return True, lambda entries: compares(entries, bound), f"{words} {shown}"


def _asked(leaf: Leaf) -> str:
    return {
        "number": "a number",
        "integer": "an integer",
        "boolean": "true or false",
        "string": "a string",
    }[leaf.kind]


def _kind(value: Value) -> str:
    match value:
        case Unsupported(name):
            return f"a value of type {name}"
        case None:
            return "nothing (null)"
        case bool():
            return "a boolean"
        case int() | float():
            return f"the number {typed.number_in_words(value)}"
        case np.number():
            return f"the number {value.item()}"
        case str():
            return f'the string "{value[:20]}"'
        case list() | tuple():
            return "a list"
        case dict():
            return "a dict"
        case np.ndarray():
            return "an array"
        case _:
            return f"a {type(value).__name__}"
