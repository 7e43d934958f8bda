"""What an upload says the results are, against what the core says. A difference is told in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from app.compare import Misfit, compare
from app.contract import Leaf, Tolerance
from app.errors import FieldError
from app.model import Mismatch, Value, Variant
from app.notation import kind_of, written
from app.problem.family import Named
from app.problem.versions import digest

# The core's outputs are unrounded float64; whoever claims them has computed in float64, too.
OUTPUTS = Tolerance(rtol=1e-9, atol=0.0)


@dataclass(frozen=True, slots=True)
class Claims:
    """Results that came with a test.

    outputs   of the core, by name, for the family's own parameters
    answers   in the form of a variant, by its name
    """

    outputs: Named = field(default_factory=dict)
    answers: Named = field(default_factory=dict)


def wrong_outputs(claimed: Named, core: Named, where: str) -> Iterator[FieldError]:
    """Where claimed outputs are not the core's, within 1e-9 relative; any output may be left out."""
    for name, value in claimed.items():
        yield from _off(value, core[name], f"{where}.{name}")


def wrong_answer(
    claimed: Value, variant: Variant, answer: Value, where: str
) -> Iterator[FieldError]:
    """Where a claimed answer would not be accepted from a learner, nor is the unrounded answer."""
    if digest(claimed) == digest(answer):
        return
    try:
        mismatch = compare(claimed, variant.returns, answer, variant.tolerance)
    except Misfit as error:
        yield FieldError(where, str(error))
        return
    if mismatch is not None:
        yield from _told(mismatch, where)


def _off(value: Value, core: Value, where: str) -> Iterator[FieldError]:
    match core:
        case dict():
            if not isinstance(value, Mapping) or set(value) != set(core):
                keys = ", ".join(map(str, core))
                yield FieldError(where, f"a dict with the keys {keys} is asked for")
                return
            for key, item in core.items():
                yield from _off(value[key], item, f"{where}.{key}")
        case list() | tuple() if not _flat(core):
            if not isinstance(value, list | tuple) or len(value) != len(core):
                yield FieldError(where, f"a list of {len(core)} items is asked for")
                return
            for i, item in enumerate(core):
                yield from _off(value[i], item, f"{where}[{i}]")
        case None | str():
            if type(value) is not type(core) or value != core:
                yield FieldError(where, f"{written(value)} is given, the core says {written(core)}")
        case _:
            yield from _numbers_off(value, core, where)


def _flat(core: list[Value] | tuple[Value, ...]) -> bool:
    return all(type(item) in (int, float, bool) for item in core)


def _numbers_off(value: Value, core: Value, where: str) -> Iterator[FieldError]:
    try:
        mismatch = compare(value, _leaf(core), core, OUTPUTS)
    except Misfit:
        yield FieldError(where, f"the core says {kind_of(core)}, which cannot be compared")
        return
    if mismatch is not None:
        yield from _told(mismatch, where)


def _leaf(core: Value) -> Leaf:
    match core:
        case bool() | np.bool_():
            return Leaf("boolean")
        case int() | np.integer():
            return Leaf("integer")
        case list() | tuple() | np.ndarray():
            return Leaf("array_like")
        case _:
            return Leaf("number")


def _told(mismatch: Mismatch, where: str) -> Iterator[FieldError]:
    """The first differences, each with its numbers; what is off by its form in one line."""
    if not mismatch.differences:
        yield FieldError(f"{where}{_inside(mismatch.path)}", mismatch.message)
        return
    for found in mismatch.differences:
        message = f"{found.got} is given, the core says {found.want}"
        if found.error is not None and found.allowed is not None:
            message += f"; off by {found.error:.3g}, {found.allowed:.3g} is allowed"
        yield FieldError(f"{where}{_inside(found.path)}", message)
    if (more := mismatch.count - len(mismatch.differences)) > 0:
        yield FieldError(where, f"and {more} more numbers are off")


def _inside(path: str) -> str:
    return path if not path or path[0] in "[." else f".{path}"
