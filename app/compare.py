"""Is it the answer? The rules of grading in their order; the first that is broken names the mismatch.

    1 container   2 structure   3 type of number        form/: before any value is looked at
    4 non-finite  5 value       6 rounding              closeness.py: all leaves, then the first rule

The seventh, unchanged inputs, is a flag from the sandbox and is read by judge.py. What a mismatch
says to the learner about numbers is written here, twice: in full, and in a summary that fits a
secret test.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any, Literal, TypeAlias

import numpy as np

from app.closeness import FIRST, Allowed, Findings, Tally, allowed_for, distance, examine
from app.contract import Contract, Tolerance
from app.form import Misfit, Pair, align, loosened, recast, unravelled
from app.model import Difference, Mismatch, Value
from app.notation import number_written

__all__ = ["Misfit", "compare"]

Kind: TypeAlias = Literal["non_finite", "value", "rounding"]

# Numbers that are worth copying to look at them together.
_TOGETHER = 16_384


def compare(
    value: Value, contract: Contract, answer: Value, tolerance: Tolerance
) -> Mismatch | None:
    """What is wrong with a returned value, or None if it is the answer.

    value      what the program returned: exact types, arrays of any shape and dtype
    contract   the form; a leaf's own tolerance or rounding goes before `tolerance`
    answer     unrounded, in the same form (nested lists and arrays alike where numbers are nested)

    Raises Misfit where the answer itself does not fit the contract.
    """
    mismatch = _first_broken(value, contract, answer, tolerance)
    if mismatch is None or mismatch.kind != "form":
        return mismatch
    # Right numbers in the wrong container: half the work is done, and the learner should know.
    if (
        _first_broken(recast(value, contract, answer), loosened(contract), answer, tolerance)
        is None
    ):
        return replace(mismatch, message=f"{mismatch.message} (the numbers are right)")
    return mismatch


def _first_broken(
    value: Value, contract: Contract, answer: Value, tolerance: Tolerance
) -> Mismatch | None:
    found = list(align(value, contract, answer))
    problems = [item for item in found if isinstance(item, Mismatch)]
    for kind in ("form", "structure", "type"):
        first = next((problem for problem in problems if problem.kind == kind), None)
        if first:
            return first
    pairs = [item for item in found if isinstance(item, Pair)]
    leaves = [_Compared.of(some, tolerance) for some in _alike(pairs)]
    # What is left of the problems are texts and integers too long for a float64: wrong values.
    wrong_otherwise = next(iter(problems), None)
    return (
        _not_finite([leaf for leaf in leaves if leaf.findings.non_finite.count])
        or wrong_otherwise
        or _off([leaf for leaf in leaves if leaf.findings.value.count], leaves)
        or _not_rounded([leaf for leaf in leaves if leaf.findings.rounding.count])
    )


def _alike(pairs: Sequence[Pair]) -> Iterator[list[Pair]]:
    """Neighbours with one contract and dtype together, up to a size: a thousand small arrays are
    one look, not a thousand."""
    some: list[Pair] = []
    size = 0
    for pair in pairs:
        fits = some and size + pair.got.size <= _TOGETHER and _kind(pair) == _kind(some[0])
        if some and not fits:
            yield some
            some, size = [], 0
        some.append(pair)
        size += pair.got.size
    if some:
        yield some


def _kind(pair: Pair) -> tuple[object, ...]:
    return id(pair.leaf), pair.got.dtype, pair.want.dtype


@dataclass(frozen=True, slots=True)
class _Compared:
    """Some leaves of one contract, end to end, and what was found in them.

    ends   how many numbers there are up to and with each pair
    """

    pairs: Sequence[Pair]
    ends: Sequence[int]
    allowed: Allowed
    findings: Findings

    @classmethod
    def of(cls, pairs: Sequence[Pair], tolerance: Tolerance) -> _Compared:
        got, want = pairs[0].got, pairs[0].want
        if len(pairs) > 1:
            got = np.concatenate([pair.got.ravel() for pair in pairs])
            want = np.concatenate([pair.want.ravel() for pair in pairs])
        allowed = allowed_for(pairs[0].leaf, tolerance)
        ends = list(accumulate(pair.got.size for pair in pairs))
        return cls(pairs, ends, allowed, examine(got, want, allowed))

    def place(self, flat: int) -> tuple[Pair, int]:
        """The pair that holds a number, and the number's place in it."""
        which = bisect_right(self.ends, flat)
        return self.pairs[which], flat - (self.ends[which - 1] if which else 0)

    def tally(self, kind: Kind) -> Tally:
        found: Tally = getattr(self.findings, kind)
        return found

    def brief(self, kind: Kind, words: str) -> str:
        """Words for a secret test, with the part of the contract in which the first such place is."""
        return self.place(self.tally(kind).first[0])[0].place.brief(words)

    def difference(self, flat: int, kind: Kind) -> Difference:
        """One place, written out; the errors only where they mean something."""
        pair, inner = self.place(flat)
        got, want = pair.got.flat[inner], pair.want.flat[inner]
        path = pair.place.number(unravelled(inner, pair.got.shape), pair.listed)
        places = self.allowed.places
        if kind != "value" or pair.want.dtype == bool:
            return Difference(path, _shown(got), _shown(want, places))
        error, allowed = distance(_plain(got), _plain(want)), self.allowed.at(_plain(want))
        return Difference(path, _shown(got), _shown(want, places), error, allowed)


def _not_finite(leaves: Sequence[_Compared]) -> Mismatch | None:
    if not leaves:
        return None
    differences, count, _ = _gathered(leaves, "non_finite")
    first = differences[0]
    more = f" and {count - 1} more {_plural(count - 1, 'place')}" if count > 1 else ""
    where = f" at {first.path}" if first.path else " was returned"
    message = f"{first.got}{where}{more}, expected {first.want}"
    got = {"NaN": "NaN", "∞": "an infinity", "-∞": "an infinity"}.get(first.got)
    summary = (
        f"{got} where a number is expected"
        if got
        else "a number where NaN or an infinity is expected"
    )
    if got and first.want in ("NaN", "∞", "-∞"):
        summary = "NaN or an infinity of the wrong kind"
    summary = leaves[0].brief("non_finite", summary)
    return Mismatch("non_finite", first.path, summary, message, "", differences, count)


def _off(wrong: Sequence[_Compared], leaves: Sequence[_Compared]) -> Mismatch | None:
    if not wrong:
        return None
    differences, count, largest = _gathered(wrong, "value")
    total = sum(leaf.ends[-1] for leaf in leaves)
    first = differences[0]
    by = "" if first.error is None else f": off by {first.error:.3g}, allowed {first.allowed:.3g}"
    if total == 1:
        message = f"{_subject(first)}, expected {first.want}{by}"
    else:
        message = f"{count} of {total} numbers {'is' if count == 1 else 'are'} wrong"
        message += f", {'the first at ' if count > 1 else 'at '}{first.path}"
        message += f": {first.got} instead of {first.want}{by.replace(':', ',')}"
    summary = wrong[0].brief("value", "wrong value")
    return Mismatch("value", first.path, summary, message, "", differences, count, largest)


def _not_rounded(leaves: Sequence[_Compared]) -> Mismatch | None:
    if not leaves:
        return None
    differences, count, largest = _gathered(leaves, "rounding")
    first, places = differences[0], leaves[0].allowed.places
    not_rounded = f"not rounded to {places} {_plural(places, 'place')}"
    message = f"{_subject(first)}, {not_rounded}"
    if count > 1:
        message = f"{count} numbers are {not_rounded}, the first at {first.path}: {first.got}"
    summary = leaves[0].brief("rounding", "not rounded to the places asked for")
    return Mismatch("rounding", first.path, summary, message, "", differences, count, largest)


def _gathered(
    leaves: Sequence[_Compared], kind: Kind
) -> tuple[tuple[Difference, ...], int, Difference | None]:
    """The first five differences over all leaves, the count of all, and the largest."""
    tallies = [(leaf, leaf.tally(kind)) for leaf in leaves]
    first = [(leaf, flat) for leaf, tally in tallies for flat in tally.first][:FIRST]
    worst, tally = max(tallies, key=lambda item: item[1].error)
    largest = None if tally.largest is None else worst.difference(tally.largest, kind)
    differences = tuple(leaf.difference(flat, kind) for leaf, flat in first)
    return differences, sum(tally.count for _, tally in tallies), largest


def _subject(difference: Difference) -> str:
    path, got = difference.path, difference.got
    return f"{path} is {got}" if path else f"{got} was returned"


def _plain(number: Any) -> Any:
    return number.item() if isinstance(number, np.generic) else number


def _shown(number: Any, places: int | None = None) -> str:
    plain = _plain(number)
    return str(plain) if isinstance(plain, bool) else number_written(plain, places)


def _plural(count: int | None, noun: str) -> str:
    return noun if count == 1 else f"{noun}s"
