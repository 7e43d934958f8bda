"""The quick pass over arrays says what exact arithmetic says, number by number."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import closeness
from app.closeness import Allowed, Findings, Tally, distance, examine, on_grid
from app.compare import compare
from app.contract import Contract, Leaf, ListOf, Tolerance, Tuple

EDGES = [0.0, -0.0, 5e-324, 1e-300, 0.1, 1.0, -2.5, 3.0, 2.0**53, 1e16, 1e300, -1.7e308]
ODD = [math.nan, math.inf, -math.inf]
FLOATS = st.sampled_from(EDGES) | st.floats(allow_nan=False, allow_infinity=False)
INTEGERS = st.sampled_from([0, 1, -1, 2**62, 2**63 - 1, -(2**63), 2**53 + 1]) | st.integers(-9, 9)
LONG = INTEGERS | st.sampled_from([2**64, -(2**80), 10**400, 2**80 + 1])


def _pair(
    of: st.SearchStrategy[Any], nearby: Sequence[float]
) -> st.SearchStrategy[tuple[Any, Any]]:
    """Two numbers: anything, or one and the other a little beside it."""
    near = st.tuples(of, st.sampled_from(nearby)).map(lambda p: (p[0] + p[1], p[0]))
    scaled = st.tuples(of, st.sampled_from([1 + 1e-9, 1.5, 0.5, -1.0, 1.0])).map(
        lambda p: (p[0] * p[1] if isinstance(p[0], float) else p[0], p[0])
    )
    return near | scaled | st.tuples(of, of)


FLOAT_PAIRS = _pair(FLOATS, [0.5, -0.5, 1e-3, 0.0]) | st.tuples(
    FLOATS | st.sampled_from(ODD), FLOATS | st.sampled_from(ODD)
)
KINDS: dict[str, tuple[st.SearchStrategy[tuple[Any, Any]], Any, Any]] = {
    "floats": (FLOAT_PAIRS, np.float64, np.float64),
    "single floats": (
        st.tuples(st.floats(width=32), st.floats(width=32)),
        np.float32,
        np.float32,
    ),
    "integers": (st.tuples(INTEGERS, INTEGERS), np.int64, np.int64),
    "integers and floats for each other": (
        st.tuples(INTEGERS, FLOATS), np.int64, np.float64),
    "floats and integers for each other": (
        st.tuples(FLOATS | st.sampled_from(ODD), INTEGERS), np.float64, np.int64),
    "small unsigned integers": (st.tuples(st.integers(0, 255), INTEGERS), np.uint8, np.float64),
    "bools": (st.tuples(st.booleans(), st.booleans()), np.bool_, np.bool_),
    "long integers": (st.tuples(LONG, LONG), object, object),
    "floats for long integers": (
        st.tuples(FLOATS | st.sampled_from(ODD), LONG),
        np.float64,
        object,
    ),
    "floats among long integers": (
        st.tuples(FLOATS | st.sampled_from(ODD) | LONG, LONG),
        object,
        object,
    ),
    "integers for long integers": (st.tuples(INTEGERS, LONG), np.int64, object),
}  # fmt: skip
BOUNDS = st.sampled_from([0.0, 1e-12, 1e-9, 0.25, 0.5, 1.0, 2.0])


def _finite(number: Any) -> bool:
    return isinstance(number, int) or math.isfinite(number)


def _error(got: Any, want: Any) -> float:
    try:
        return float(abs(Fraction(got) - Fraction(want)))
    except OverflowError:
        return math.inf


def _expected(
    got: Sequence[Any], want: Sequence[Any], allowed: Allowed
) -> dict[str, list[tuple[int, float]]]:
    """By rule, the places that break it and their errors."""
    found: dict[str, list[tuple[int, float]]] = {"non_finite": [], "value": [], "rounding": []}
    for place, (one, other) in enumerate(zip(got, want, strict=True)):
        if not (_finite(one) and _finite(other)):
            if not (one == other or (one != one and other != other)):
                found["non_finite"].append((place, -1.0))
            continue
        bound = allowed.atol + Fraction(allowed.rtol) * abs(Fraction(other))
        if allowed.places is not None:
            bound += Fraction(math.ulp(max(abs(one), abs(other))))
        if abs(Fraction(one) - Fraction(other)) > bound:
            found["value"].append((place, _error(one, other)))
        elif allowed.places is not None and not _on_grid(one, allowed.places):
            found["rounding"].append((place, _error(one, other)))
    return found


def _on_grid(number: float, places: int) -> bool:
    unit = Fraction(10) ** places
    if abs(Fraction(number)) * unit >= 10**15:
        return True
    nearest = float(round(Fraction(number) * unit) / unit)
    return abs(number - nearest) <= math.ulp(nearest)


def _is(tally: Tally, expected: list[tuple[int, float]], errors: bool = True) -> None:
    assert tally.count == len(expected)
    assert tally.first == [place for place, _ in expected[:5]]
    assert all(type(place) is int for place in (*tally.first, tally.largest or 0))
    assert type(tally.error) is float
    if not expected:
        assert tally.largest is None
    elif errors:
        worst = max(error for _, error in expected)
        assert tally.error == worst
        assert tally.largest == next(place for place, error in expected if error == worst)
    else:
        assert tally.largest in {place for place, _ in expected} or tally.error == -1.0


def _examined(got: Any, want: Any, allowed: Allowed, chunk: int) -> Findings:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(closeness, "_CHUNK", chunk)
        return examine(got, want, allowed)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data(), rtol=BOUNDS, atol=BOUNDS, chunk=st.integers(1, 9))
def test_every_number_is_judged_as_by_fractions(
    kind: str, data: st.DataObject, rtol: float, atol: float, chunk: int
) -> None:
    """Count, first five and largest, for every dtype, and wherever a chunk ends."""
    pairs, got_dtype, want_dtype = KINDS[kind]
    drawn = data.draw(st.lists(pairs, max_size=24))
    got = np.array([one for one, _ in drawn], dtype=got_dtype)
    want = np.array([other for _, other in drawn], dtype=want_dtype)
    allowed = Allowed(rtol, Fraction(atol))
    found = _examined(got, want, allowed, chunk)
    expected = _expected(got.tolist(), want.tolist(), allowed)
    exact = not kind.endswith("for each other")  # one float64 rounding more
    _is(found.non_finite, expected["non_finite"], errors=False)
    _is(found.value, expected["value"], errors=exact)
    assert found.rounding.count == 0


@given(
    st.lists(
        st.tuples(
            st.integers(-(10**9), 10**9), st.integers(-2, 2), st.sampled_from([0, 1, 0.5, 0.3])
        ),
        max_size=20,
    ),
    st.integers(-2, 9),
    st.sampled_from([0.0, 1e-12, 1e-6]),
    st.sampled_from(ODD),
    st.integers(1, 9),
)
def test_rounded_numbers_are_judged_as_by_fractions(
    drawn: list[tuple[int, int, float]], places: int, guard: float, odd: float, chunk: int
) -> None:
    """Near a grid of tenths, of units or of hundreds: too far, off the grid, or right."""
    unit = 10.0**-places
    want = [number * unit + off * unit for number, _, off in drawn]
    got = [(number + step) * unit for number, step, _ in drawn]
    # Now and then off the grid, near or far; and what is not finite, in one of the two or in both.
    got = [want[i] + (i % 2) * 2.7 * unit if i % 3 == 2 else got[i] for i in range(len(got))]
    got += [odd, odd, 0.0, *want[:1]]
    want += [odd, 0.0, odd, *want[:1]]
    allowed = Allowed(guard, Fraction(10) ** -places / 2, places)
    found = _examined(np.array(got), np.array(want), allowed, chunk)
    expected = _expected(got, want, allowed)
    _is(found.non_finite, expected["non_finite"], errors=False)
    _is(found.value, expected["value"])
    _is(found.rounding, expected["rounding"])


def test_a_number_breaks_one_rule() -> None:
    """What is not finite or too far off is not called unrounded as well."""
    got = np.array([math.nan, 9.13, 0.33, 0.3, 9.0])
    want = np.array([0.3, 0.3, 0.33, 0.3, math.nan])
    found = examine(got, want, Allowed(0.0, Fraction(1, 20), places=1))
    assert (found.non_finite.first, found.value.first, found.rounding.first) == ([0, 4], [1], [2])


@pytest.mark.parametrize(("off", "count"), [(0, 0), (1, 0), (2, 0), (3, 1)])
def test_integers_beyond_every_float_have_no_ulp_and_are_on_the_grid(off: int, count: int) -> None:
    """Half a unit at places before the point is all that they may be off."""
    allowed = Allowed(0.0, Fraction(2), places=0)
    found = examine(np.array([10**400 + off, 3], object), np.array([10**400, 3], object), allowed)
    assert (found.value.count, found.rounding.count) == (count, 0)


@pytest.mark.parametrize("places", [-3, -1, 0, 1, 4, 12])
def test_from_fifteen_digits_on_every_number_is_on_the_grid(places: int) -> None:
    """An ulp is then about as wide as the grid; below that a number between two places is off it."""
    limit = 10.0 ** (15 - places)
    off = np.array([limit, -limit, 1.5 * limit, 9 * limit]) * (1 + 3e-16)
    assert on_grid(off, places).all()
    whole, unit = np.array([7.0, -300.0, 12345.0]), 10.0 ** abs(places)
    exact = whole / unit if places >= 0 else whole * unit
    assert on_grid(np.nextafter(exact, 0.0), places).all()
    assert on_grid(np.nextafter(exact, 2 * exact), places).all()
    # The ulp is that of the place on the grid: below a power of two there are two in it.
    below = 1.0 - 2.0**-52
    assert on_grid(np.array([below, -below]), max(places, 0)).all()
    between = np.array([1.5, -7.5, 0.25]) * 10.0**-places
    assert not on_grid(between, places).any()
    assert on_grid(np.array([0.0, 3.0, -12.0]) * 10.0**-places, places).all()


@pytest.mark.parametrize(
    ("got", "want", "error"),
    [
        (1.5, 1.0, 0.5),
        (1, 10**400, math.inf),
        (10**400, 10**400 + 3, 3.0),
        (-1.7e308, 1.7e308, math.inf),
        (2**53 + 1, 2.0**53, 1.0),
    ],
)
def test_a_distance_is_rounded_once(got: float, want: float, error: float) -> None:
    """However large the two are; there is none from what is not finite."""
    assert distance(got, want) == distance(want, got) == error
    for odd in ODD:
        assert math.isnan(distance(odd, want))
        assert math.isnan(distance(got, odd))


@pytest.mark.parametrize(
    ("rtol", "atol", "want", "shown"),
    [
        (0.5, 0.25, 2.0, 1.25),
        (0.5, 0.0, -2.0, 1.0),
        (1.0, 0.0, 10**400, math.inf),
        (0.0, 0.5, 7.0, 0.5),
    ],
)
def test_the_allowed_error_is_told_for_each_answer(
    rtol: float, atol: float, want: float, shown: float
) -> None:
    """By its size, whatever its sign."""
    assert Allowed(rtol, Fraction(atol)).at(want) == shown


SMALL = st.lists(
    st.tuples(st.integers(0, 4), st.sampled_from([0, 0, 0, 1, 2, 5]), st.booleans()), max_size=8
)


@given(SMALL, st.integers(0, 9))
def test_arrays_looked_at_together_say_what_each_says_alone(
    drawn: list[tuple[int, int, bool]], together: int
) -> None:
    """Count, paths of the first five and the largest, wherever one look ends and another begins."""
    want: list[Any] = [np.arange(float(size)) for size, _, _ in drawn]
    got = [a.copy() for a in want]
    for number, (size, off, _) in enumerate(drawn):
        if size:
            got[number][size // 2] += off
            got[number][-1] += off / 2
    # An array of whole numbers is looked at apart from those of floats.
    got = [
        a.astype(np.int64) if whole and (a == np.rint(a)).all() else a
        for a, (_, _, whole) in zip(got, drawn, strict=True)
    ]
    errors = [
        (f"[{number}][{place}]", float(abs(a[place] - b[place])))
        for number, (a, b) in enumerate(zip(got, want, strict=True))
        for place in range(len(b))
        if a[place] != b[place]
    ]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("app.compare._TOGETHER", together)
        mismatch = compare(got, ListOf(Leaf("array")), want, Tolerance(0.0, 0.0))
    if not errors:
        assert mismatch is None
        return
    assert mismatch is not None
    assert mismatch.count == len(errors)
    assert [(d.path, d.error) for d in mismatch.differences] == errors[:5]
    worst = max(error for _, error in errors)
    largest = mismatch.largest
    assert largest is not None
    assert (largest.path, largest.error) == next(e for e in errors if e[1] == worst)
    total = sum(size for size, _, _ in drawn)
    if total > 1:
        assert mismatch.message.startswith(f"{len(errors)} of {total} numbers")


def _looks(monkeypatch: pytest.MonkeyPatch, contract: Contract, values: Any) -> list[int]:
    """How many numbers were looked at together, look by look."""
    looks: list[int] = []

    def counted(got: Any, want: Any, allowed: Allowed) -> Findings:
        looks.append(got.size)
        return examine(got, want, allowed)

    with monkeypatch.context() as patched:
        patched.setattr("app.compare.examine", counted)
        assert compare(values, contract, values, Tolerance(0.0, 0.0)) is None
    return looks


def test_one_large_array_is_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither what was returned nor the answer, which may both be as large as memory allows."""
    value = np.ones(1000)
    seen: list[Any] = []

    def noted(got: Any, want: Any, allowed: Allowed) -> Findings:
        seen.extend((got, want))
        return examine(got, want, allowed)

    monkeypatch.setattr("app.compare.examine", noted)
    assert compare(value, Leaf("array"), value, Tolerance(0.0, 0.0)) is None
    assert len(seen) == 2
    assert all(np.shares_memory(array, value) for array in seen)


def test_many_small_arrays_are_few_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to 16,384 numbers of one kind at once; what is larger is not copied to be put beside others."""
    arrays, leaf = ListOf(Leaf("array")), Leaf("array")
    thousands = [np.ones(1024) for _ in range(16)]
    assert _looks(monkeypatch, arrays, thousands) == [16_384]
    assert _looks(monkeypatch, arrays, [*thousands, *thousands]) == [16_384, 16_384]
    assert _looks(monkeypatch, arrays, [*thousands, np.ones(1)]) == [16_384, 1]
    assert _looks(monkeypatch, arrays, [np.ones(1), *thousands]) == [1 + 15 * 1024, 1024]
    again = [*thousands, np.ones(1), *thousands, np.ones(1)]
    assert _looks(monkeypatch, arrays, again) == [16_384, 1 + 15 * 1024, 1025]
    assert _looks(monkeypatch, arrays, [np.ones(3), np.ones(20_000), np.ones(2)]) == [3, 20_000, 2]
    assert _looks(monkeypatch, arrays, []) == []
    kinds = [np.ones(2), np.ones(3), np.ones(4, int), np.ones(5)]
    assert _looks(monkeypatch, arrays, kinds) == [5, 4, 5]
    own = Leaf("array", rtol=0.5)
    leaves = Tuple((leaf, leaf, own, own, leaf))
    assert _looks(monkeypatch, leaves, tuple(np.ones(n) for n in range(1, 6))) == [3, 7, 5]
