"""Between the family's core and a variant: inputs to arguments, outputs to the answer, and back.

Pure: it knows contracts and takes, and neither files nor boxes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, assert_never

import numpy as np

from app.contract import AnySequence, Contract, Dict, DictOf, Leaf, List, ListOf, Tuple
from app.model import Core, Take, Template, Value, Variant
from app.notation import kind_of


class Unfit(Exception):
    """A value cannot take the form asked for; `where` is the place, the message says why."""

    def __init__(self, where: str, message: str):
        self.where = where
        super().__init__(f"{where}: {message}" if where else message)


def arguments(variant: Variant, inputs: Mapping[str, Value]) -> tuple[Value, ...]:
    """A test's inputs in the variant's form, in positional order. Raises Unfit."""
    takes = dict(variant.core.inputs)
    return tuple(
        shaped(taken(inputs[takes[a.name].name], takes[a.name], a.name), a.contract, a.name)
        for a in variant.arguments
    )


def inputs(variant: Variant, values: tuple[Value, ...]) -> dict[str, Value]:
    """A variant's arguments back to the core's inputs.

    Each number of a flat list is then a tensor of its own, without axes: the core's answer is the
    same, and a mistake means there what a learner of the flat form would do.
    """
    takes = dict(variant.core.inputs)
    pairs = zip(variant.arguments, values, strict=True)
    return {takes[argument.name].name: value for argument, value in pairs}


def answer(variant: Variant, outputs: Mapping[str, Value]) -> Value:
    """The core's named outputs as the variant's answer, unrounded. Raises Unfit."""
    return _filled(variant.core.answer, variant.returns, outputs, "")


def core_arguments(core: Core, family_inputs: Mapping[str, Value]) -> tuple[Value, ...]:
    """What the core is called with: its inputs in order, then the parameters."""
    inputs = (family_inputs[take.name] for _, take in core.inputs)
    return (*inputs, *(value for _, value in core.parameters))


def taken(value: Value, take: Take, where: str) -> Value:
    """A whole input or output, or its tensors as one flat list or as vectors. Raises Unfit."""
    match take.how:
        case "whole":
            return value
        case "flat":
            return [x for tensor in _tensors(value, where) for x in _entries(tensor)]
        case "vectors":
            return [_vector(tensor) for tensor in _tensors(value, where)]
        case _:
            assert_never(take.how)


def _tensors(value: Value, where: str) -> list[Value] | tuple[Value, ...]:
    if type(value) not in (list, tuple):
        raise Unfit(where, "only a list of tensors can be taken flat or as vectors")
    return value  # type: ignore[return-value]


def _entries(tensor: Value) -> list[Value]:
    if isinstance(tensor, (list, tuple)):
        return [x for item in tensor for x in _entries(item)]
    if isinstance(tensor, (np.ndarray, np.generic)):
        return tensor.ravel().tolist()
    return [tensor]


def _vector(tensor: Value) -> Value:
    return tensor.ravel() if isinstance(tensor, np.ndarray) else _entries(tensor)


def shaped(value: Value, contract: Contract, where: str = "") -> Value:
    """A value in the form of a contract: the same numbers, other containers. Raises Unfit."""
    match contract:
        case Leaf():
            return _leaf(value, contract, where)
        case Dict(fields):
            entries = _dict(value, where)
            return {k: shaped(_at(entries, k, where), c, f"{where}[{k!r}]") for k, c in fields}
        case DictOf(item):
            return {k: shaped(v, item, f"{where}[{k!r}]") for k, v in _dict(value, where).items()}
        case Tuple(items):
            return tuple(_each(value, items, where))
        case List(items):
            return _each(value, items, where)
        case ListOf(item):
            found = _sequence(value, where)
            return [shaped(v, item, f"{where}[{i}]") for i, v in enumerate(found)]
        case AnySequence(item):
            found = [
                shaped(v, item, f"{where}[{i}]") for i, v in enumerate(_sequence(value, where))
            ]
            return tuple(found) if type(value) is tuple else found
        case _:
            assert_never(contract)


def _each(value: Value, items: tuple[Contract, ...], where: str) -> list[Value]:
    found = _sequence(value, where)
    if len(found) != len(items):
        raise Unfit(where, f"{len(items)} items are asked for, there are {len(found)}")
    pairs = zip(found, items, strict=True)
    return [shaped(v, c, f"{where}[{i}]") for i, (v, c) in enumerate(pairs)]


def _sequence(value: Value, where: str) -> list[Value]:
    if isinstance(value, (list, tuple)):
        return list(value)
    if isinstance(value, np.ndarray) and value.ndim == 1:
        return list(value.tolist())
    raise Unfit(where, f"a list is asked for, not {kind_of(value)}")


def _dict(value: Value, where: str) -> dict[Any, Value]:
    if type(value) is not dict:
        raise Unfit(where, f"a dict is asked for, not {kind_of(value)}")
    return value


def _at(entries: Mapping[Any, Value], key: str, where: str) -> Value:
    if key not in entries:
        raise Unfit(where, f"the key {key!r} is missing")
    return entries[key]


def _leaf(value: Value, leaf: Leaf, where: str) -> Value:
    match leaf.kind:
        case "number" | "integer" | "boolean" | "string":
            return _single(value, where)
        case "array":
            return _array(value, leaf, where)
        case "nested_list":
            return _nested(value, where)
        case "array_like":
            return _array(value, leaf, where) if isinstance(value, np.ndarray) else value
        case _:
            assert_never(leaf.kind)


def _single(value: Value, where: str) -> Value:
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        return value.item()
    if isinstance(value, (list, tuple, dict, np.ndarray)):
        raise Unfit(where, f"a single value is asked for, not {kind_of(value)}")
    return value


def _array(value: Value, leaf: Leaf, where: str) -> Value:
    try:
        found = np.asarray(value, dtype=leaf.dtype)
    except (ValueError, TypeError, OverflowError):
        raise Unfit(where, f"{kind_of(value)} cannot become an array") from None
    if found.dtype.kind not in "fiubc":
        raise Unfit(where, f"{kind_of(value)} cannot become an array of numbers")
    return found


def _nested(value: Value, where: str) -> Value:
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [_nested(item, f"{where}[{i}]") for i, item in enumerate(value)]
    return value


def _filled(
    template: Template, contract: Contract, outputs: Mapping[str, Value], where: str
) -> Value:
    if isinstance(template, Take):
        output = _at(outputs, template.name, where)
        return shaped(taken(output, template, where), contract, where)
    if isinstance(template, Mapping):
        assert isinstance(contract, Dict)
        fields = dict(contract.fields)
        return {k: _filled(t, fields[k], outputs, f"{where}[{k!r}]") for k, t in template.items()}
    assert isinstance(contract, (Tuple, List))
    pairs = zip(template, contract.items, strict=True)
    items = [_filled(t, c, outputs, f"{where}[{i}]") for i, (t, c) in enumerate(pairs)]
    return tuple(items) if isinstance(contract, Tuple) else items
