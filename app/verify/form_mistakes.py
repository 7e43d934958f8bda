"""Mistakes of form that every contract invites: the right numbers, handed back wrongly.

They need no author and no box: each is made from the answer itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, assert_never

import numpy as np

from app.contract import AnySequence, Contract, Dict, DictOf, Leaf, List, ListOf, Tolerance, Tuple

SINGLE_PRECISION = 6e-8  # half a unit in the last place, relative

Change = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class FormMistake:
    """What a program with this mistake returns where `answer` is right; rounding is done first.

    chance   whether it shows only where the numbers happen to: one place too few, for instance
    """

    title: str
    returned: Change
    chance: bool = False


def form_mistakes(contract: Contract, tolerance: Tolerance) -> Iterator[FormMistake]:
    """The mistakes of form that apply to a contract."""
    right = rounded_answer(contract)
    yield from _containers(contract, right)
    leaves = list(_leaves(contract))
    if any(leaf.round is not None for leaf in leaves):
        yield FormMistake("not rounded", lambda answer: answer)
        for fewer in (1, 2):
            yield FormMistake(
                f"rounded to {fewer} place{'s'[: fewer > 1]} too few",
                _changed(contract, _places(-fewer)),
                chance=True,
            )
    if any(_is_fractional(leaf) for leaf in leaves):
        yield FormMistake("cut to integers", _changed(contract, _to_integers))
    if any(_is_fractional(leaf) and _fine(leaf, tolerance) for leaf in leaves):
        yield FormMistake("in single precision", _changed(contract, _to_single))
    if any(leaf.kind == "array" for leaf in leaves):
        yield FormMistake("lists instead of arrays", lambda a: _mapped(right(a), contract, _listed))
    if any(leaf.round is not None for leaf in leaves) and any(_is_fractional(x) for x in leaves):
        coarsest = min(leaf.round for leaf in leaves if leaf.round is not None)
        yield FormMistake(
            "everything rounded",
            _changed(contract, lambda value, leaf: _round(value, coarsest)),
        )


def rounded_answer(contract: Contract) -> Change:
    """The answer as a right program returns it: rounded where the contract asks for it."""
    return _changed(contract, _places(0))


def _changed(contract: Contract, change: Callable[[Any, Leaf], Any]) -> Change:
    return lambda answer: _mapped(answer, contract, change)


def _without(right: Change, key: str) -> Change:
    return lambda answer: {name: item for name, item in right(answer).items() if name != key}


def _containers(contract: Contract, right: Change) -> Iterator[FormMistake]:
    match contract:
        case Tuple(items):
            yield FormMistake("a list instead of a tuple", lambda a: list(right(a)))
            if len(items) == 2:
                yield FormMistake("items swapped", lambda a: tuple(reversed(right(a))))
            yield FormMistake("the last item missing", lambda a: tuple(right(a)[:-1]))
            yield FormMistake("the first item alone", lambda a: right(a)[0])
        case List(items):
            yield FormMistake("a tuple instead of a list", lambda a: tuple(right(a)))
            if len(items) == 2:
                yield FormMistake("items swapped", lambda a: list(reversed(right(a))))
            yield FormMistake("the last item missing", lambda a: list(right(a)[:-1]))
        case Dict(fields):
            yield FormMistake("a tuple instead of a dict", lambda a: tuple(right(a).values()))
            for key, _ in fields:
                yield FormMistake(f"the key {key!r} missing", _without(right, key))
        case Leaf() | DictOf() | ListOf() | AnySequence():
            return
        case _:
            assert_never(contract)


def _leaves(contract: Contract) -> Iterator[Leaf]:
    match contract:
        case Leaf():
            yield contract
        case Dict(fields):
            for _, item in fields:
                yield from _leaves(item)
        case Tuple(items) | List(items):
            for item in items:
                yield from _leaves(item)
        case DictOf(item) | ListOf(item) | AnySequence(item):
            yield from _leaves(item)
        case _:
            assert_never(contract)


def _is_fractional(leaf: Leaf) -> bool:
    return leaf.round is None and leaf.kind in ("number", "array", "nested_list", "array_like")


def _fine(leaf: Leaf, tolerance: Tolerance) -> bool:
    """Whether the leaf's tolerance is finer than single precision, with room to see it."""
    return (tolerance.rtol if leaf.rtol is None else leaf.rtol) < SINGLE_PRECISION / 10


def _mapped(value: Any, contract: Contract, change: Callable[[Any, Leaf], Any]) -> Any:
    """A value of this form with each leaf changed."""
    match contract:
        case Leaf():
            return change(value, contract)
        case Dict(fields):
            return {key: _mapped(value[key], item, change) for key, item in fields}
        case DictOf(item):
            return {key: _mapped(entry, item, change) for key, entry in value.items()}
        case Tuple(items):
            return tuple(_mapped(v, c, change) for v, c in zip(value, items, strict=True))
        case List(items):
            return [_mapped(v, c, change) for v, c in zip(value, items, strict=True)]
        case ListOf(item) | AnySequence(item):
            return [_mapped(entry, item, change) for entry in value]
        case _:
            assert_never(contract)


def _places(change: int) -> Callable[[Any, Leaf], Any]:
    def _rounded(value: Any, leaf: Leaf) -> Any:
        return value if leaf.round is None else _round(value, leaf.round + change)

    return _rounded


def _round(value: Any, places: int) -> Any:
    return _entries(value, lambda number: round(number, places))


def _to_integers(value: Any, leaf: Leaf) -> Any:
    if leaf.round is not None:
        return _round(value, leaf.round)
    return _entries(value, lambda number: float(int(number)))


def _to_single(value: Any, leaf: Leaf) -> Any:
    if leaf.round is not None:
        return _round(value, leaf.round)
    with np.errstate(all="ignore"):
        return _entries(value, lambda number: float(np.float32(number)))


def _listed(value: Any, leaf: Leaf) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def _entries(value: Any, change: Callable[[float], float]) -> Any:
    """Every finite number of a leaf changed; big arrays in one go where NumPy has the words."""
    if isinstance(value, np.ndarray):
        flat = [_entries(item, change) for item in value.ravel().tolist()]
        return np.array(flat, dtype=np.float64).reshape(value.shape)
    if isinstance(value, (list, tuple)):
        return [_entries(item, change) for item in value]
    if type(value) in (int, float) and np.isfinite(value):
        return change(value)
    return value
