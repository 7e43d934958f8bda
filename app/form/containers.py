"""Containers: dicts, tuples and lists, walked beside the contract and the answer."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import Any, assert_never

from app.contract import AnySequence, Contract, Dict, DictOf, Leaf, List, ListOf, Tuple
from app.form.leaves import Misfit, Pair, align_leaf, answer_numbers, paired
from app.form.numbers import bare, packed, refused
from app.form.place import Place, asked, counted, mismatch, named, quoted, wrong_kind
from app.model import Mismatch, Value
from app.notation import kind_of


def align(
    value: Value, contract: Contract, answer: Value, place: Place | None = None
) -> Iterator[Pair | Mismatch]:
    """Every leaf of the contract, paired with the answer's; or what keeps it from being paired."""
    place = place or Place()
    match contract:
        case Leaf():
            yield from align_leaf(value, contract, answer, place)
        case Dict() | DictOf():
            yield from _align_fields(value, contract, answer, place)
        case Tuple() | List():
            yield from _align_parts(value, contract, answer, place)
        case ListOf() | AnySequence():
            yield from _align_items(value, contract, answer, place)
        case _:
            assert_never(contract)


def _align_fields(
    value: Value, contract: Dict | DictOf, answer: Value, place: Place
) -> Iterator[Pair | Mismatch]:
    if not isinstance(answer, dict):
        raise _misfit(answer, contract)
    if not isinstance(value, dict):
        yield wrong_kind(value, contract, place)
        return
    fixed = isinstance(contract, Dict)
    fields: dict[Any, Contract] = (
        dict(contract.fields)
        if isinstance(contract, Dict)
        else dict.fromkeys(answer, contract.item)
    )
    yield from _wrong_keys(value, fields, place, fixed)
    for key, item in fields.items():
        if key not in answer:
            raise Misfit(f"the answer has no key {key!r}")
        if key in value:
            inner = place.field(key) if fixed else place.entry(key)
            yield from align(value[key], item, answer[key], inner)


def _wrong_keys(
    value: dict[Any, Value], fields: dict[Any, Contract], place: Place, fixed: bool
) -> Iterator[Mismatch]:
    """One mismatch for keys: the first that is missing, with a near miss, or else one too many."""
    unexpected = [key for key in value if key not in fields]
    missing = [key for key in fields if key not in value]
    if missing:
        # A program may return a million keys; the ten first show a misspelling as well.
        candidates = [named(key)[:60] for key in unexpected[:10]]
        near = "".join(difflib.get_close_matches(named(missing[0]), candidates, n=1))
        hint = f"; you returned {quoted(near)}" if near else ""
        summary = f"missing key {quoted(missing[0])}" if fixed else "a key is missing"
        message = f"missing key {quoted(missing[0])}{hint}"
        yield mismatch("structure", place, message, summary, near)
    elif unexpected:
        message = f"unexpected key {quoted(unexpected[0])}"
        yield mismatch("structure", place, message, "an unexpected key", named(unexpected[0]))


def _align_parts(
    value: Value, contract: Tuple | List, answer: Value, place: Place
) -> Iterator[Pair | Mismatch]:
    kind = tuple if isinstance(contract, Tuple) else list
    if not isinstance(answer, kind):
        raise _misfit(answer, contract)
    if len(answer) != len(contract.items):
        raise Misfit(f"the answer does not have the {len(contract.items)} items of the contract")
    if not isinstance(value, kind):
        yield wrong_kind(value, contract, place)
    elif len(value) != len(answer):
        message = f"{asked(contract)} of {counted(len(answer), 'item')} expected"
        message += f", {len(value)} returned"
        yield mismatch("structure", place, message, "the wrong number of items")
    else:
        for index, item in enumerate(contract.items):
            yield from align(value[index], item, answer[index], place.part(index))


def _align_items(
    value: Value, contract: ListOf | AnySequence, answer: Value, place: Place
) -> Iterator[Pair | Mismatch]:
    kinds = list | tuple if isinstance(contract, AnySequence) else list
    if not isinstance(answer, kinds):
        raise _misfit(answer, contract)
    item, noun = contract.item, _noun(contract.item)
    if not isinstance(value, kinds):
        yield wrong_kind(value, contract, place)
    elif len(value) != len(answer):
        message = f"{counted(len(answer), noun)} expected, {len(value)} returned"
        yield mismatch("structure", place, message, f"the wrong number of {noun}s")
    elif isinstance(item, Leaf) and item.kind in ("number", "integer", "boolean"):
        yield from _align_numbers(value, item, answer, place)
    else:
        for index, (one, other) in enumerate(zip(value, answer, strict=True)):
            yield from align(one, item, other, place.item(index))


def _align_numbers(
    value: Sequence[Value], leaf: Leaf, answer: Sequence[Value], place: Place
) -> Iterator[Pair | Mismatch]:
    """A list of numbers in one go, as if it were one array."""
    numbers = [bare(item) for item in value]
    wrong = refused(numbers, leaf)
    for index in wrong:
        yield from align_leaf(numbers[index], leaf, answer[index], place.item(index))
    if not wrong:
        yield from paired(packed(numbers), leaf, answer_numbers(answer), place, listed=True)


def _misfit(answer: Value, contract: Contract) -> Misfit:
    return Misfit(f"the answer is {kind_of(answer)}, the contract asks for {asked(contract)}")


def _noun(contract: Contract) -> str:
    """What the items of a list are called when they are counted."""
    name = asked(contract).removeprefix("a ").removeprefix("an ")
    return {"NumPy array": "array", "array or a list": "array", "list or a tuple": "item"}.get(
        name, name
    )
