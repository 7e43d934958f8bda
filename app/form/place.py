"""Where in a value we are, and how a mismatch of form is put into words there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, assert_never

import numpy as np

from app.contract import AnySequence, Contract, Dict, DictOf, Leaf, List, ListOf, Tuple
from app.model import Mismatch, Unsupported, Value
from app.notation import kind_of, number_written, text_written

_ORDINALS = ("the first", "the second", "the third", "the fourth", "the fifth", "the sixth")


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a value we are.

    path     as a learner would index it: `clipped_gradients[1]`; empty for the value itself
    within   the same in words of the contract alone, safe for a secret test: `"clipped_gradients"`
    """

    path: str = ""
    within: str = ""

    def field(self, key: str) -> Place:
        """An entry that the contract names."""
        return Place(self.entry(key).path, self._deeper(f'"{key}"'))

    def entry(self, key: str | int) -> Place:
        """An entry whose key only the answer knows."""
        if not self.path and isinstance(key, str) and key.isidentifier():
            return Place(key)  # at the top, and so within nothing
        return Place(f"{self.path}[{key!r}]", self.within)

    def part(self, index: int) -> Place:
        """An item that the contract lists."""
        name = _ORDINALS[index] if index < len(_ORDINALS) else "a later"
        return Place(f"{self.path}[{index}]", self._deeper(f"{name} item"))

    def item(self, index: int) -> Place:
        return Place(f"{self.path}[{index}]", self.within)

    def number(self, index: Sequence[int], listed: bool) -> str:
        """One number of a leaf: `[0][2]` in nested lists, `[0, 2]` in an array."""
        if listed or not index:
            return self.path + "".join(f"[{step}]" for step in index)
        return f"{self.path}[{', '.join(map(str, index))}]"

    def full(self, words: str) -> str:
        return f"{self.path}: {words}" if self.path else words

    def brief(self, words: str) -> str:
        return f"in {self.within}: {words}" if self.within else words

    def _deeper(self, name: str) -> str:
        return f"{self.within}, {name}" if self.within else name


def asked(contract: Contract) -> str:
    """What a contract asks for, in two or three words."""
    match contract:
        case Leaf(kind=kind):
            return {
                "number": "a number",
                "integer": "an integer",
                "boolean": "a bool",
                "string": "a string",
                "array": "a NumPy array",
                "nested_list": "a list",
                "array_like": "an array or a list",
            }[kind]
        case Dict() | DictOf():
            return "a dict"
        case Tuple():
            return "a tuple"
        case List() | ListOf():
            return "a list"
        case AnySequence():
            return "a list or a tuple"
        case _:
            assert_never(contract)


def mismatch(
    kind: Literal["form", "structure", "type"],
    place: Place,
    message: str,
    summary: str,
    named: str = "",
) -> Mismatch:
    return Mismatch(kind, place.path, place.brief(summary), place.full(message), named)


def wrong_kind(value: Value, contract: Contract, place: Place) -> Mismatch:
    """Another container than the contract's; something that is no number where one is asked for."""
    want = asked(contract)
    message = f"{kind_of(value)} was returned, {want} is asked for"
    if value is None and not place.path:
        message += "; does every path through your function end in `return`?"
    unsupported = isinstance(value, Unsupported)
    no_number = isinstance(contract, Leaf) and isinstance(value, str)
    kind: Literal["form", "type"] = "type" if unsupported or no_number else "form"
    named = value.type_name if isinstance(value, Unsupported) else ""
    summary = f"{kind_only(value)} was returned, {want} is asked for"
    return mismatch(kind, place, message, summary, named)


def kind_only(value: Value) -> str:
    """What kind of thing a value is, without a name that the learner's program made."""
    return "something unsupported" if isinstance(value, Unsupported) else kind_of(value)


def counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def quoted(key: object) -> str:
    return f'"{key}"' if isinstance(key, str) and len(key) <= 60 else text_written(named(key), 60)


def named(key: object) -> str:
    """A key as text; Python refuses to write out an integer of thousands of digits."""
    return number_written(key) if type(key) is int else str(key)


def unravelled(flat: int, shape: tuple[int, ...]) -> list[int]:
    """The index of a flat place in a shape."""
    return [int(step) for step in np.unravel_index(flat, shape)]


def deep(place: Place, flat: int, shape: tuple[int, ...]) -> Place:
    """The place of one item of a level of nested lists."""
    return Place(place.number(unravelled(flat, shape), listed=True), place.within)
