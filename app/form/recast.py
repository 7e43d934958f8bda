"""The same numbers in another form: what a learner meant, or would return who rounds as asked."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import assert_never

import numpy as np

from app.contract import AnySequence, Contract, Dict, DictOf, Leaf, List, ListOf, Tuple
from app.model import Value


def recast(value: Value, contract: Contract, answer: Value = None) -> Value:
    """A value put into the contract's containers, where it is plain what belongs where.

    With an answer, what has other lengths or keys is left as it is: it can never fit, and what a
    program returned may be huge.
    """
    match contract:
        case Leaf(kind="number" | "integer" | "boolean"):
            if isinstance(value, np.ndarray) and value.size == 1:
                return value.reshape(())[()]
            alone = isinstance(value, list | tuple) and len(value) == 1
            return recast(value[0], contract) if alone else value  # type: ignore[index]
        case Leaf():
            return value
        case Dict(fields=fields):
            known = dict(fields)
            if isinstance(value, list | tuple) and len(value) == len(fields):
                value = dict(zip(known, value, strict=True))
            if not isinstance(value, dict) or (answer is not None and value.keys() != known.keys()):
                return value
            inner = answer if isinstance(answer, dict) else {}
            return {
                key: recast(entry, known[key], inner.get(key)) if key in known else entry
                for key, entry in value.items()
            }
        case DictOf(item=item):
            inner = answer if isinstance(answer, dict) else {}
            if not isinstance(value, dict) or (answer is not None and value.keys() != inner.keys()):
                return value
            return {key: recast(entry, item, inner.get(key)) for key, entry in value.items()}
        case Tuple(items=items) | List(items=items):
            entries = _entries(value, len(items))
            if entries is None:
                return value
            parts = list(map(recast, entries, items, _answers(answer, len(items))))
            return tuple(parts) if isinstance(contract, Tuple) else parts
        case ListOf(item=item) | AnySequence(item=item):
            entries = _entries(value, len(answer) if isinstance(answer, list | tuple) else None)
            if entries is None:
                return value
            answers = _answers(answer, len(entries))
            return [recast(one, item, other) for one, other in zip(entries, answers, strict=True)]
        case _:
            assert_never(contract)


def _entries(value: Value, count: int | None) -> Collection[Value] | None:
    """The entries of a container, if there are so many."""
    if not isinstance(value, dict | list | tuple | np.ndarray):
        return None
    if isinstance(value, np.ndarray) and not value.ndim:
        return None
    if count is not None and len(value) != count:
        return None
    return value.values() if isinstance(value, dict) else value


def _answers(answer: Value, count: int) -> Sequence[Value]:
    """The answer's parts, for as many entries; nothing where there are none to go by."""
    fits = isinstance(answer, list | tuple) and len(answer) == count
    return answer if fits else [None] * count  # type: ignore[return-value]


def loosened(contract: Contract) -> Contract:
    """The contract with arrays and nested lists alike, for holding numbers against numbers only."""
    return with_leaves(
        contract,
        lambda leaf: (
            replace(leaf, kind="array_like") if leaf.kind in ("array", "nested_list") else leaf
        ),
    )


def with_leaves(contract: Contract, change: Callable[[Leaf], Leaf]) -> Contract:
    """The contract with every leaf changed."""
    match contract:
        case Leaf():
            return change(contract)
        case Dict(fields=fields):
            return Dict(tuple((key, with_leaves(item, change)) for key, item in fields))
        case Tuple(items=items) | List(items=items):
            return replace(contract, items=tuple(with_leaves(item, change) for item in items))
        case DictOf(item=item) | ListOf(item=item) | AnySequence(item=item):
            return replace(contract, item=with_leaves(item, change))
        case _:
            assert_never(contract)


def mapped(value: Value, contract: Contract, change: Callable[[Leaf, Value], Value]) -> Value:
    """A value with every leaf changed. Containers stay; what does not fit the contract is left."""
    match contract, value:
        case Leaf(), _:
            return change(contract, value)
        case Dict(fields=fields), dict():
            known = dict(fields)
            return {k: mapped(v, known[k], change) if k in known else v for k, v in value.items()}
        case DictOf(item=item), dict():
            return {key: mapped(entry, item, change) for key, entry in value.items()}
        case ((Tuple(items=items) | List(items=items)), (list() | tuple())):
            if len(value) != len(items):
                return value
            parts = (mapped(one, item, change) for one, item in zip(value, items, strict=True))
            return type(value)(parts)
        case ((ListOf(item=item) | AnySequence(item=item)), (list() | tuple())):
            return type(value)(mapped(one, item, change) for one in value)
        case _:
            return value


def rounded(value: Value, contract: Contract) -> Value:
    """A value as a learner returns it who rounds where the contract says so, and nowhere else."""
    return mapped(
        value,
        contract,
        lambda leaf, numbers: numbers if leaf.round is None else _rounded(numbers, leaf.round),
    )


def _rounded(numbers: Value, places: int) -> Value:
    match numbers:
        case list() | tuple():
            return type(numbers)(_rounded(item, places) for item in numbers)
        case np.ndarray() if numbers.dtype.kind == "f":
            # From 10^(15-places) on a float64 has no such places, and np.round may overflow.
            coarse = ~(np.abs(numbers) < 10.0 ** (15 - places))
            return np.where(coarse, numbers, np.round(np.where(coarse, 0.0, numbers), places))
        case float():
            return round(float(numbers), places)
        case _:
            return numbers
