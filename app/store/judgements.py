"""A Judgement as JSON, and back, frozen again.

JSON has no NaN and no infinity, and a learner's text may hold what UTF-8 cannot: both are made
legal on the way in. Floats come back as they were; half of a surrogate pair comes back as `?`.
Fields that have their default are left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from app.model import Judgement

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_FLOATS = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def written_down(judgement: Judgement) -> str:
    """JSON text; non-finite numbers as {"float": "NaN"}."""
    return msgspec.json.encode(_legal(judgement)).decode()


def read_back(text: str) -> Judgement:
    """The judgement that `written_down` was given."""
    return msgspec.convert(_exact(msgspec.json.decode(text)), Judgement)


def _legal(tree: object) -> object:
    match tree:
        case str():
            return tree if tree.isascii() else tree.encode("utf-8", "replace").decode()
        case float() if not math.isfinite(tree):
            name = "NaN" if math.isnan(tree) else "Infinity" if tree > 0 else "-Infinity"
            return {"float": name}
        case tuple():
            return [_legal(value) for value in tree]
    if not is_dataclass(tree) or isinstance(tree, type):
        return tree
    values = ((name, default, getattr(tree, name)) for name, default in _defaults(type(tree)))
    return {name: _legal(value) for name, default, value in values if value != default}


@cache
def _defaults(kind: Callable[..., DataclassInstance]) -> tuple[tuple[str, object], ...]:
    """The fields of a dataclass; where one has no default, something that equals no value."""
    assert isinstance(kind, type)
    return tuple((field.name, field.default) for field in fields(kind))


def _exact(tree: object) -> object:
    match tree:
        case {"float": str(name), **others} if not others:
            return _FLOATS[name]
        case dict():
            return {key: _exact(value) for key, value in tree.items()}
        case list():
            return [_exact(value) for value in tree]
    return tree
