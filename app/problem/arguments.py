"""Custom input: read, checked against the contract, and put into the form of the tests."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from typing import Any

from app.contract import (
    AnySequence,
    Contract,
    Dict,
    DictOf,
    List,
    ListOf,
    Tuple,
)
from app.errors import FieldError, Invalid
from app.model import Value, Variant
from app.problem import domains, forms, typed

CUSTOM_NODES = 100_000
SHOWN = 20  # errors told at once


def parse(variant: Variant, data: object) -> tuple[Value, ...]:
    """Custom input as JSON, `{argument: typed value}`, as the entry point's arguments.

    Raises Invalid with one FieldError for each fault, at places such as `arguments.grads[0]`.
    """
    if not isinstance(data, Mapping):
        raise _invalid([FieldError("arguments", "must be an object with one entry per argument")])
    errors = list(_names(variant, data))
    values: dict[str, Value] = {}
    for argument in variant.arguments:
        if argument.name in data:
            where = f"arguments.{argument.name}"
            try:
                spoken = _spoken(data[argument.name], argument.contract)
                values[argument.name] = typed.value(spoken, where, CUSTOM_NODES)
            except Invalid as error:
                errors += error.errors
    if not errors:
        errors = list(domains.misfits(variant.arguments, values, "arguments."))
    if errors:
        raise _invalid(errors)
    return tuple(forms.shaped(values[a.name], a.contract, a.name) for a in variant.arguments)


def _invalid(errors: list[FieldError]) -> Invalid:
    first = errors[0]
    more = f", and {len(errors) - 1} more" if len(errors) > 1 else ""
    return Invalid(f"{first.where}: {first.message}{more}", errors[:SHOWN])


def _names(variant: Variant, data: Mapping[Any, Any]) -> Iterator[FieldError]:
    known = [argument.name for argument in variant.arguments]
    for name in known:
        if name not in data:
            yield FieldError(f"arguments.{name}", "is missing")
    for name in data:
        if name not in known:
            near = difflib.get_close_matches(str(name), known, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            yield FieldError(f"arguments.{str(name)[:40]}", f"is not an argument{hint}")


def _spoken(data: object, contract: Contract) -> object:
    """Where a dict is asked for, a plain JSON object is one; it need not be tagged."""
    match data, contract:
        case dict(), DictOf(item) if data.keys() != {"dict"}:
            return {"dict": {k: _spoken(v, item) for k, v in data.items()}}
        case dict(), Dict(fields) if data.keys() != {"dict"}:
            known = dict(fields)
            return {"dict": {k: _spoken(v, known[k]) if k in known else v for k, v in data.items()}}
        case list(), ListOf(item) | AnySequence(item):
            return [_spoken(x, item) for x in data]
        case list(), Tuple(items) | List(items) if len(items) == len(data):
            return [_spoken(x, item) for x, item in zip(data, items, strict=True)]
        case _:
            return data
