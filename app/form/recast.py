"""The same numbers in other containers: what a learner meant who got only the form wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

import numpy as np

from app.contract import AnySequence, Contract, Dict, DictOf, Leaf, List, ListOf, Tuple
from app.model import Value


def recast(value: Value, contract: Contract) -> Value:
    """A value put into the contract's containers, where it is plain what belongs where."""
    match contract:
        case Leaf(kind="number" | "integer" | "boolean"):
            if isinstance(value, np.ndarray) and value.size == 1:
                return value.reshape(())[()]
            alone = isinstance(value, list | tuple) and len(value) == 1
            return recast(value[0], contract) if alone else value  # type: ignore[index]
        case Leaf():
            return value
        case Dict(fields=fields):
            if isinstance(value, list | tuple) and len(value) == len(fields):
                value = {key: item for (key, _), item in zip(fields, value, strict=True)}
            if not isinstance(value, dict):
                return value
            known = dict(fields)
            return {k: recast(v, known[k]) if k in known else v for k, v in value.items()}
        case DictOf(item=item):
            if not isinstance(value, dict):
                return value
            return {key: recast(entry, item) for key, entry in value.items()}
        case Tuple(items=items) | List(items=items):
            entries = _entries(value)
            if entries is None or len(entries) != len(items):
                return value
            parts = [recast(entry, item) for entry, item in zip(entries, items, strict=True)]
            return tuple(parts) if isinstance(contract, Tuple) else parts
        case ListOf(item=item) | AnySequence(item=item):
            entries = _entries(value)
            return value if entries is None else [recast(entry, item) for entry in entries]
        case _:
            assert_never(contract)


def _entries(value: Value) -> list[Value] | None:
    if isinstance(value, dict):
        return list(value.values())
    if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim):
        return list(value)
    return None


def loosened(contract: Contract) -> Contract:
    """The contract with arrays and nested lists alike, for holding numbers against numbers only."""
    match contract:
        case Leaf(kind="array" | "nested_list"):
            return replace(contract, kind="array_like")
        case Leaf():
            return contract
        case Dict(fields=fields):
            return Dict(tuple((key, loosened(item)) for key, item in fields))
        case Tuple(items=items) | List(items=items):
            return replace(contract, items=tuple(map(loosened, items)))
        case DictOf(item=item) | ListOf(item=item) | AnySequence(item=item):
            return replace(contract, item=loosened(item))
        case _:
            assert_never(contract)
