"""Contracts as an author writes them become trees of app/contract.py.

{list_of: {array_like: {dtype: float64}}, min_items: 1}
{tuple: [{list_of: {array: {like: grads}}}, number]}
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from app.contract import (
    AnySequence,
    Argument,
    Contract,
    Dict,
    DictOf,
    Leaf,
    LeafKind,
    List,
    ListOf,
    Tuple,
)
from app.problem.document import Document, Location

LEAVES: tuple[LeafKind, ...] = get_args(LeafKind)
CONTAINERS = ("dict", "dict_of", "tuple", "list", "list_of", "any_sequence")
_BESIDE = {
    "list_of": ("min_items", "max_items"),
    "any_sequence": ("min_items", "max_items"),
    "dict_of": ("min_items", "like"),
}
_BOUNDS = ("above", "below", "minimum", "maximum")


class LeafIn(BaseModel):
    """The options of a leaf as written."""

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)

    shape: Literal["any"] | list[int | None] | None = None
    dtype_kind: str | None = Field(default=None, pattern=r"^[fiubc]+$")
    dtype: str | None = None
    above: float | str | None = None
    below: float | str | None = None
    minimum: float | str | None = None
    maximum: float | str | None = None
    finite: bool = False
    min_size: int = Field(default=0, ge=0)
    like: str | None = None
    round: int | None = Field(default=None, ge=0, le=15)
    guard: float = Field(default=1e-12, ge=0, le=1e-3)
    rtol: float | None = Field(default=None, ge=0, le=0.1)
    atol: float | None = Field(default=None, ge=0)
    display: int | None = Field(default=None, ge=0, le=17)

    @field_validator("dtype")
    @classmethod
    def known(cls, dtype: str | None) -> str | None:
        if dtype is not None and dtype not in ("float64", "float32", "int64", "int32", "bool"):
            raise ValueError("must be float64, float32, int64, int32 or bool")
        return dtype

    def leaf(self, kind: LeafKind) -> Leaf:
        options = self.model_dump()
        shape = options.pop("shape")
        return Leaf(
            kind,
            shape=None if shape in (None, "any") else tuple(shape),
            dtype_kinds=options.pop("dtype_kind"),
            **options,
        )


def read(document: Document, location: Location, data: Any) -> Contract:
    """The contract written at a place of a document. Raises PackageError with the line."""
    if isinstance(data, str):  # a leaf without options: `limit: number`
        data = {data: {}}
    if not isinstance(data, dict):
        raise document.error(location, "a contract is a mapping such as {number: {}}")
    kind = _kind(document, location, data)
    _no_stray_keys(document, location, data, kind)
    place = (*location, kind)
    if kind in LEAVES:
        return _leaf(document, place, kind, data[kind])
    return _CONTAINERS[kind](document, place, data)


def arguments(document: Document, location: Location, data: dict[str, Any]) -> tuple[Argument, ...]:
    """The contracts of named arguments, in the order written."""
    found = tuple(Argument(n, read(document, (*location, n), d)) for n, d in data.items())
    for argument in found:
        check_likes(document, (*location, argument.name), argument.contract, tuple(data))
    return found


def _named(contract: Contract) -> Iterator[tuple[str, str]]:
    """Every option that names an argument, with the name."""
    match contract:
        case Leaf():
            if contract.like is not None:
                yield "like", contract.like
            for option in _BOUNDS:
                if isinstance(bound := getattr(contract, option), str):
                    yield option, bound
        case Dict(fields):
            for _, item in fields:
                yield from _named(item)
        case Tuple(items) | List(items):
            for item in items:
                yield from _named(item)
        case DictOf(item):
            if contract.like is not None:
                yield "like", contract.like
            yield from _named(item)
        case ListOf(item) | AnySequence(item):
            yield from _named(item)


def check_likes(
    document: Document, location: Location, contract: Contract, names: tuple[str, ...]
) -> None:
    """Every `like`, and every bound that is a name, names an argument."""
    for option, name in _named(contract):
        if name not in names:
            raise document.error(
                location, f"`{option}: {name}` is not an argument", _suggestion(name, names)
            )


def _kind(document: Document, location: Location, data: dict[str, Any]) -> str:
    known = (*LEAVES, *CONTAINERS)
    kinds = [key for key in data if key in known]
    if len(kinds) == 1:
        return kinds[0]
    if kinds:
        raise document.error(location, f"two kinds in one contract: {' and '.join(kinds)}")
    stray = next((key for key in data if key not in ("min_items", "max_items", "like")), "")
    remedy = _suggestion(stray, known) or f"use one of {', '.join(known)}"
    raise document.error((*location, stray), f"{stray!r} is not a kind of contract", remedy)


def _no_stray_keys(document: Document, location: Location, data: dict[str, Any], kind: str) -> None:
    allowed = {kind, *_BESIDE.get(kind, ())}
    for key in data:
        if key not in allowed:
            raise document.error(
                (*location, key), f"{key!r} does not belong beside {kind!r}", "move it inside"
            )


def _leaf(document: Document, place: Location, kind: Any, options: Any) -> Leaf:
    try:
        return LeafIn.model_validate({} if options is None else options).leaf(kind)
    except ValidationError as error:
        first = error.errors()[0]
        raise document.error((*place, *first["loc"][:1]), first["msg"]) from None


def _dict(document: Document, place: Location, data: Any) -> Contract:
    fields = data["dict"]
    if not isinstance(fields, dict) or not fields:
        raise document.error(place, "needs a mapping of keys to contracts")
    return Dict(tuple((key, read(document, (*place, key), item)) for key, item in fields.items()))


def _dict_of(document: Document, place: Location, data: Any) -> Contract:
    like = data.get("like")
    if like is not None and not isinstance(like, str):
        raise document.error((*place[:-1], "like"), "must be the name of an argument")
    return DictOf(read(document, place, data["dict_of"]), _counts(document, place, data)[0], like)


def _items(document: Document, place: Location, items: Any) -> tuple[Contract, ...]:
    if not isinstance(items, list) or not items:
        raise document.error(place, "needs a list of contracts")
    return tuple(read(document, (*place, i), item) for i, item in enumerate(items))


def _tuple(document: Document, place: Location, data: Any) -> Contract:
    return Tuple(_items(document, place, data["tuple"]))


def _list(document: Document, place: Location, data: Any) -> Contract:
    return List(_items(document, place, data["list"]))


def _list_of(document: Document, place: Location, data: Any) -> Contract:
    return ListOf(read(document, place, data["list_of"]), *_counts(document, place, data))


def _any_sequence(document: Document, place: Location, data: Any) -> Contract:
    return AnySequence(read(document, place, data["any_sequence"]), *_counts(document, place, data))


def _counts(document: Document, place: Location, data: Any) -> tuple[int, int | None]:
    low, high = data.get("min_items", 0), data.get("max_items")
    for key, count in (("min_items", low), ("max_items", high)):
        if count is not None and (type(count) is not int or count < 0):
            raise document.error((*place[:-1], key), "must be a whole number, 0 or more")
    if high is not None and high < low:
        raise document.error((*place[:-1], "max_items"), "is below min_items")
    return low, high


_CONTAINERS: dict[str, Callable[[Document, Location, Any], Contract]] = {
    "dict": _dict,
    "dict_of": _dict_of,
    "tuple": _tuple,
    "list": _list,
    "list_of": _list_of,
    "any_sequence": _any_sequence,
}


def _suggestion(word: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(word, known, n=1)
    return f"did you mean {near[0]}?" if near else ""
