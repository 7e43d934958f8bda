"""Patterns of form: the numbers are right, and something around them is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

from app.contract import Contract, Dict, DictOf, Leaf, LeafKind, List, Tuple
from app.diagnose.evidence import Case
from app.diagnose.look import Look
from app.form import loosened, recast, with_leaves
from app.model import Diagnosis, Value

_MOST_PARTS = 4  # which have 24 orders


def inputs_changed(look: Look) -> Diagnosis | None:
    if not all(case.mismatch is None for case in look.failed):
        return None
    return Diagnosis(
        "inputs_changed",
        "The inputs were changed",
        "The returned numbers are right, but the arguments are no longer what they were before the "
        "call. `a *= b`, `a[...] = b` and `out=a` write into the caller's arrays; `a * b` makes a "
        "new one.",
    )


def wrong_container(look: Look) -> Diagnosis | None:
    variant, loose = look.variant, loosened(look.variant.returns)
    found: list[str] = []
    for case in look.failed:
        if case.mismatch is None or case.mismatch.kind != "form":
            return None
        value = recast(case.value, variant.returns, case.contents.answer)
        if look.compare(value, loose, case.contents.answer, variant.tolerance):
            return None
        found.append(case.mismatch.summary)
    return Diagnosis(
        "wrong_container",
        "Right numbers in the wrong container",
        f"Every number is right, but not what holds them: {found[0]}. "
        "The statement says what has to be returned.",
    )


def wrong_type(look: Look) -> Diagnosis | None:
    """The right numbers as floats where integers are asked for, say."""
    any_type = with_leaves(look.variant.returns, _of_any_type)
    found: list[str] = []
    for case in look.failed:
        if case.mismatch is None or case.mismatch.kind != "type":
            return None
        if look.compare(case.value, any_type, case.contents.answer, look.variant.tolerance):
            return None
        found.append(case.mismatch.summary)
    return Diagnosis(
        "wrong_type",
        "Right numbers of the wrong type",
        f"Every number is right, but not its type: {found[0]}. `int(...)`, "
        "`float(...)` or `.astype(...)` makes it the type that the statement asks for.",
    )


def _of_any_type(leaf: Leaf) -> Leaf:
    kind: LeafKind = "number" if leaf.kind in ("integer", "boolean") else leaf.kind
    return replace(leaf, kind=kind, dtype_kinds=None)


def wrong_keys(look: Look) -> Diagnosis | None:
    """Dicts with the right values under other keys."""
    returns, tolerance = look.variant.returns, look.variant.tolerance
    loose = loosened(returns)

    def fits(value: Value, want: Value) -> bool:
        return look.compare(recast(value, returns, want), loose, want, tolerance) is None

    for case in look.failed:
        want = case.contents.answer
        # Where they fit as they are, the keys were right.
        if fits(case.value, want) or not fits(_renamed(case.value, returns, want), want):
            return None
    return Diagnosis(
        "wrong_keys",
        "Right values under other keys",
        "Every value is right, but the keys are not the ones asked for. They are compared letter "
        "by letter, capitals and underscores too.",
    )


def _renamed(value: Value, contract: Contract, want: Value) -> Value:
    """Every dict with the keys of the answer, in the order in which they came."""
    match contract, value, want:
        case ((Tuple(items=items) | List(items=items)), (list() | tuple()), (list() | tuple())):
            if len(value) != len(items):
                return value
            return list(map(_renamed, value, items, want))
        case Dict(fields=fields), dict(), dict():
            inner = dict(fields)
        case DictOf(item=item), dict(), dict():
            inner = dict.fromkeys(want, item)
        case _:
            return value
    if len(value) != len(inner):
        return value
    # The right keys may come in any order.
    entries = value.values() if value.keys() != inner.keys() else [value[key] for key in inner]
    return {
        key: _renamed(entry, inner[key], want[key])
        for key, entry in zip(inner, entries, strict=True)
    }


def swapped(look: Look) -> Diagnosis | None:
    parts = _parts_of(look.variant.returns)
    if len(parts) > _MOST_PARTS:
        return None
    for order in list(permutations(range(len(parts))))[1:]:
        if all(
            _fits_in_order(look, case, order) for case in look.cases if case.passed or case.seen
        ):
            return Diagnosis(
                "swapped",
                "The parts of the result are swapped",
                "Every part of the result is right, but they stand in each other's place. Compare "
                "the order (or the keys) with what the statement asks for.",
            )
    return None


def _parts_of(contract: Contract) -> tuple[Contract, ...]:
    match contract:
        case Tuple(items=items) | List(items=items):
            return items
        case Dict(fields=fields):
            return tuple(item for _, item in fields)
        case _:
            return ()


def _fits_in_order(look: Look, case: Case, order: Sequence[int]) -> bool:
    """Whether the parts, put in that order, are the answer; for a passed test, its answer's own."""
    returns, value = look.variant.returns, case.value
    match returns, value:
        case Dict(fields=fields), dict() if value.keys() == {key for key, _ in fields}:
            parts: Sequence[Value] = [value[key] for key, _ in fields]
        case ((Tuple() | List()), (list() | tuple())) if len(value) == len(order):
            parts = value
        case _:
            return False
    answer = case.contents.answer
    ordered = recast([parts[index] for index in order], returns, answer)
    return look.compare(ordered, loosened(returns), answer, look.variant.tolerance) is None
