"""Whether numbers are close enough: the rules for non-finite numbers, values and rounding.

Two arrays of one shape go in, the places where they break a rule come out. The rule for values is
exact: |got - want| <= atol + rtol*|want| as if there were no rounding error, edge included. A quick
pass in float64 accepts what is surely inside; what it leaves near the edge is decided with fractions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from app.contract import Leaf, Tolerance

Numbers: TypeAlias = NDArray[Any]  # bool, integer, float64 or (integers beyond 64 bits) object

# Three buffers of this many float64 stay in a core's second-level cache.
_CHUNK = 16_384

# Error and bound carry at most seven roundings of 2^-53 together; eight leave room. Where float64 is so
# small that this is nothing, sums are exact, and a bound is never rounded past a float64.
_SLACK = 2.0**-50

# A fraction takes some 5 us. Ordinary programs have a handful of values at the very edge; one that
# puts a million there does not get to keep the judge busy, and has float64's word for the rest.
_EXACT_DECISIONS = 10_000

FIRST = 5


@dataclass(frozen=True, slots=True)
class Allowed:
    """|got - want| <= atol + rtol*|want|; with `places`, plus one ulp, and got is on the grid."""

    rtol: float
    atol: Fraction
    places: int | None = None

    def at(self, want: float) -> float:
        """The allowed error at one answer, for people to read."""
        return self.atol + self.rtol * _float(abs(want))


def allowed_for(leaf: Leaf, tolerance: Tolerance) -> Allowed:
    """The closeness that a leaf asks for: its own, or else the variant's tolerance.

    Rounding to k places: half a unit of the last place, and the leaf's guard instead of rtol.
    Integers and booleans are counted, not measured: exact unless the leaf itself says otherwise.
    """
    if leaf.round is not None:
        return Allowed(leaf.guard, Fraction(10) ** -leaf.round / 2, leaf.round)
    counted = leaf.kind in ("integer", "boolean")
    rtol = leaf.rtol if leaf.rtol is not None else 0.0 if counted else tolerance.rtol
    atol = leaf.atol if leaf.atol is not None else 0.0 if counted else tolerance.atol
    return Allowed(rtol, Fraction(atol))


@dataclass(slots=True)
class Tally:
    """Places that break one rule: how many, the first five, and the one with the largest error."""

    count: int = 0
    first: list[int] = field(default_factory=list)
    largest: int | None = None
    error: float = -1.0

    def add(self, places: NDArray[np.intp], error: NDArray[np.float64], start: int) -> None:
        """Counts places of a chunk that begins at `start`; `error` is that of the whole chunk."""
        if not places.size:
            return
        self.count += places.size
        self.first.extend((places[: FIRST - len(self.first)] + start).tolist())
        worst = int(places[error[places].argmax()])
        if error[worst] > self.error:
            self.largest, self.error = worst + start, float(error[worst])


@dataclass(slots=True)
class Findings:
    """Flat indices of the numbers that are not as they should be, by the rule they break."""

    non_finite: Tally = field(default_factory=Tally)
    value: Tally = field(default_factory=Tally)
    rounding: Tally = field(default_factory=Tally)


def examine(got: Numbers, want: Numbers, allowed: Allowed) -> Findings:
    """Holds every number of `got` against `want`. Shapes (any) are equal; dtypes are numeric.

    One pass in chunks, no array of the full size is made: two C-ordered float64 arrays cost about
    twice np.subtract on them. Integers up to 64 bits are subtracted exactly. Where `want` holds
    Python integers beyond 64 bits (dtype object), every number is decided with fractions.
    """
    findings = Findings()
    got, want = got.ravel(), want.ravel()
    decisions = _Decisions(allowed)
    # NaN and overflow are expected here and land, as NaN and infinity, among what is not sure.
    with np.errstate(all="ignore"):
        for start in range(0, got.size, _CHUNK):
            part = slice(start, start + _CHUNK)
            _examine_chunk(got[part], want[part], start, decisions, findings)
    return findings


def _examine_chunk(
    got: Numbers, want: Numbers, start: int, decisions: _Decisions, findings: Findings
) -> None:
    error = _distance(got, want)
    rest = _unsure(error, want, decisions.allowed)
    odd, wrong = _settled(got, want, error, rest, decisions)
    findings.non_finite.add(odd, error, start)
    findings.value.add(wrong, error, start)
    if decisions.allowed.places is not None:
        numbers = _floats(got)
        off = np.isfinite(numbers) & ~on_grid(numbers, decisions.allowed.places)
        off[odd] = off[wrong] = False
        findings.rounding.add(np.flatnonzero(off), error, start)


def _distance(got: Numbers, want: Numbers) -> NDArray[np.float64]:
    """|got - want|, all but exactly; integers cannot wrap."""
    if want.dtype == object:
        pairs = zip(got.tolist(), want, strict=True)
        return np.array([distance(one, other) for one, other in pairs])
    if got.dtype == want.dtype == np.int64:
        # The difference of two int64 fits into uint64, whose bits the wrapped int64 has.
        difference = np.maximum(got, want) - np.minimum(got, want)
        return difference.view(np.uint64).astype(np.float64)
    if np.int64 in (got.dtype, want.dtype):
        (high, low), (other_high, other_low) = _parts(got), _parts(want)
        return np.abs((high - other_high) + (low - other_low))
    error: NDArray[np.float64] = np.subtract(got, want, dtype=np.float64)
    return np.abs(error, out=error)


def _parts(numbers: Numbers) -> tuple[Numbers, Numbers | int]:
    """Each number as a sum of two that float64 holds; it does not hold every int64."""
    if numbers.dtype != np.int64:
        return numbers.astype(np.float64), 0
    low = np.fmod(numbers, 2**11)
    return numbers - low, low


def distance(got: float, want: float) -> float:
    """|got - want| of two numbers of any size, rounded once; NaN where either is not finite."""
    if not (_finite(got) and _finite(want)):
        return math.nan
    return _float(abs(Fraction(got) - Fraction(want)))


def _float(number: float | Fraction) -> float:
    """A number as float64; infinity for one beyond its range."""
    try:
        return float(number)
    except OverflowError:
        return math.inf


def _bound(want: Numbers, allowed: Allowed) -> NDArray[np.float64]:
    """The allowed error at each answer, without an ulp for places, with at most four roundings."""
    bound: NDArray[np.float64] = np.abs(want, dtype=np.float64)
    bound *= allowed.rtol
    if allowed.atol:
        bound += float(allowed.atol)
    return bound


def _unsure(error: NDArray[np.float64], want: Numbers, allowed: Allowed) -> NDArray[np.intp]:
    """The places that would not be accepted with an error a little larger: mostly none."""
    if want.dtype == object:
        return np.flatnonzero(error != 0)
    sure = error * (1 + _SLACK) < _bound(want, allowed)
    # Where nothing is allowed, only equality is sure; looked for only if the first scan left some.
    if not sure.all():
        sure |= error == 0
    return np.flatnonzero(~sure)


def _settled(
    got: Numbers,
    want: Numbers,
    error: NDArray[np.float64],
    rest: NDArray[np.intp],
    decisions: _Decisions,
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Of the places left over: where a number is not finite but should be (or differently), and
    where one is too far away."""
    if not rest.size:
        return rest, rest
    got, want, error = got[rest], want[rest], error[rest]
    finite = _all_finite(got) & _all_finite(want)
    odd = ~finite & ~((got == want) | ((got != got) & (want != want)))
    wrong = decisions.refused(got[finite], want[finite], error[finite])
    return rest[odd], rest[finite][wrong]


@dataclass(slots=True)
class _Decisions:
    """Decides what float64 cannot: whether a number at the very edge is inside."""

    allowed: Allowed
    left: int = _EXACT_DECISIONS

    def refused(self, got: Numbers, want: Numbers, error: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which pairs of finite numbers are too far apart; 1-D arrays of one length."""
        if want.dtype == object:
            return self._refused_exactly(got, want)
        bound = _bound(want, self.allowed)
        if self.allowed.places is not None:
            largest = np.maximum(np.abs(want, dtype=np.float64), np.abs(got, dtype=np.float64))
            bound += np.spacing(np.minimum(largest, 2.0**1023))  # of the largest it is infinite
        refused = error > bound
        # None is surely inside: what is not beyond is at the edge.
        near = np.flatnonzero(error <= bound * (1 + _SLACK))[: self.left]
        self.left -= near.size
        refused[near] = self._refused_exactly(got[near], want[near])
        return refused

    def _refused_exactly(self, got: Numbers, want: Numbers) -> NDArray[np.bool_]:
        pairs = zip(got.tolist(), want.tolist(), strict=True)
        return np.array([not self.accepts(one, other) for one, other in pairs], dtype=bool)

    def accepts(self, got: float, want: float) -> bool:
        """The rule itself, in exact arithmetic, for two finite numbers."""
        want_exactly = Fraction(want)
        bound = self.allowed.atol + Fraction(self.allowed.rtol) * abs(want_exactly)
        if self.allowed.places is not None:
            largest = _float(max(abs(got), abs(want)))
            bound += Fraction(math.ulp(largest)) if math.isfinite(largest) else 0
        return abs(Fraction(got) - want_exactly) <= bound


def on_grid(numbers: NDArray[np.float64], places: int) -> NDArray[np.bool_]:
    """Which numbers are at most one ulp beside the float64 nearest to a multiple of 10^-places.

    From 10^(15-places) on an ulp is so near the grid's own step that every number is.
    """
    unit = 10.0 ** abs(places)
    steps = numbers * unit if places >= 0 else numbers / unit
    nearest = np.rint(steps) / unit if places >= 0 else np.rint(steps) * unit
    off = np.abs(numbers - nearest)
    near: NDArray[np.bool_] = (off <= np.spacing(np.abs(nearest))) | (np.abs(steps) >= 1e15)
    return near


def _floats(numbers: Numbers) -> NDArray[np.float64]:
    """The numbers as float64, infinities where integers are beyond its range: those are on any grid."""
    if numbers.dtype == object:
        return np.array([_float(number) for number in numbers])
    return numbers.astype(np.float64)


def _all_finite(numbers: Numbers) -> NDArray[np.bool_]:
    if numbers.dtype == object:
        return np.array([_finite(number) for number in numbers])
    finite: NDArray[np.bool_] = np.isfinite(numbers)
    return finite


def _finite(number: float) -> bool:
    return isinstance(number, int) or math.isfinite(number)
