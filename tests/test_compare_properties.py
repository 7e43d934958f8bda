"""What holds of the comparator whatever the values: properties, tried with hypothesis."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from app.compare import compare
from app.contract import AnySequence, Contract, Dict, DictOf, Leaf, List, ListOf, Tolerance, Tuple
from app.model import Value
from tests.test_compare import ARRAY, BOOLEAN, EXACT, INTEGER, LIKE, NESTED, NUMBER, STRING

FINITE = st.floats(allow_nan=False, allow_infinity=False)
ANY = st.floats()
SHAPES = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
FLOAT_ARRAYS = hnp.arrays(np.float64, SHAPES, elements=ANY)
BOUNDS = st.sampled_from([0.0, 1e-15, 1e-12, 1e-9, 1e-6, 0.5])


def _leaves() -> st.SearchStrategy[tuple[Contract, Value]]:
    integers = hnp.arrays(np.int64, SHAPES)
    return st.one_of(
        st.tuples(st.just(NUMBER), ANY | st.integers() | FINITE.map(np.float64)),
        st.tuples(st.just(INTEGER), st.integers()),
        st.tuples(st.just(BOOLEAN), st.booleans()),
        st.tuples(st.just(STRING), st.text()),
        st.tuples(st.just(ARRAY), FLOAT_ARRAYS | integers),
        st.tuples(st.just(LIKE), FLOAT_ARRAYS | FLOAT_ARRAYS.map(lambda a: a.tolist())),
        st.tuples(st.just(NESTED), FLOAT_ARRAYS.map(lambda a: a.tolist())),
    )


def _containers(
    inner: st.SearchStrategy[tuple[Contract, Value]],
) -> st.SearchStrategy[tuple[Contract, Value]]:
    several = st.lists(inner, max_size=3)
    repeated = st.tuples(inner, st.integers(0, 3))
    keys = st.lists(st.text(max_size=5), min_size=3, max_size=3, unique=True)
    return st.one_of(
        several.map(lambda s: (Tuple(tuple(c for c, _ in s)), tuple(v for _, v in s))),
        several.map(lambda s: (List(tuple(c for c, _ in s)), [v for _, v in s])),
        repeated.map(lambda r: (ListOf(r[0][0]), [r[0][1]] * r[1])),
        repeated.map(lambda r: (AnySequence(r[0][0]), (r[0][1],) * r[1])),
        st.tuples(keys, several).map(
            lambda ks: (
                Dict(tuple((k, c) for k, (c, _) in zip(ks[0], ks[1], strict=False))),
                {k: v for k, (_, v) in zip(ks[0], ks[1], strict=False)},
            )
        ),
        repeated.map(lambda r: (DictOf(r[0][0]), dict.fromkeys(range(r[1]), r[0][1]))),
    )


WHOLES = st.recursive(_leaves(), _containers, max_leaves=6)


@given(WHOLES, BOUNDS, BOUNDS)
def test_every_value_is_its_own_answer(
    whole: tuple[Contract, Value], rtol: float, atol: float
) -> None:
    """Reflexive for every kind of value, also with nothing allowed."""
    contract, answer = whole
    assert compare(answer, contract, answer, Tolerance(rtol, atol)) is None


@given(ANY, ANY, BOUNDS, BOUNDS)
def test_the_sign_makes_no_difference(got: float, want: float, rtol: float, atol: float) -> None:
    """-got is as close to -want as got is to want."""
    tolerance = Tolerance(rtol, atol)
    positive = compare(got, NUMBER, want, tolerance)
    negative = compare(-got, NUMBER, -want, tolerance)
    assert (positive is None) == (negative is None)


@given(FINITE, st.floats(-1e-5, 1e-5) | BOUNDS, BOUNDS, BOUNDS, BOUNDS, BOUNDS)
def test_more_tolerance_never_refuses_what_less_accepted(
    want: float, off: float, rtol: float, atol: float, more_rtol: float, more_atol: float
) -> None:
    """Monotone in both bounds, for numbers about as far off as the bounds are wide."""
    for got in (want + want * off, want + off):
        wider = Tolerance(max(rtol, more_rtol), max(atol, more_atol))
        if compare(got, NUMBER, want, wider):
            assert compare(got, NUMBER, want, Tolerance(rtol, atol))


@given(FLOAT_ARRAYS, st.data())
def test_another_shape_is_never_accepted(answer: np.ndarray[Any, Any], data: st.DataObject) -> None:
    """However the same numbers are reshaped, also where NumPy would broadcast."""
    other = data.draw(SHAPES)
    assume(other != answer.shape)
    value = np.resize(answer, other) if answer.size else np.zeros(other)
    mismatch = compare(value, ARRAY, answer, Tolerance(1e300, 1e300))
    assert mismatch is not None
    assert mismatch.kind == "structure"


@given(hnp.arrays(np.float64, SHAPES, elements=FINITE), st.sampled_from("bcSU"))
def test_another_kind_of_number_is_never_accepted(
    answer: np.ndarray[Any, Any], letter: str
) -> None:
    """bool, complex, bytes and text are no numbers, whatever they would convert to."""
    dtype = {"b": np.bool_, "c": np.complex128, "S": np.bytes_, "U": np.str_}[letter]
    mismatch = compare(answer.astype(dtype), ARRAY, answer, Tolerance(1e300, 1e300))
    assert mismatch is not None
    assert mismatch.kind == "type"


@given(
    hnp.arrays(np.float64, st.integers(1, 30), elements=ANY),
    st.sampled_from([np.nan, np.inf, -np.inf, 1.0]),
    st.data(),
)
def test_another_mask_of_non_finite_numbers_is_never_accepted(
    answer: np.ndarray[Any, Any], odd: float, data: st.DataObject
) -> None:
    """NaN only where the answer is NaN, an infinity only where it is the same one."""
    place = data.draw(st.integers(0, answer.size - 1))
    value = answer.copy()
    value[place] = odd
    assume(not (np.isfinite(odd) and np.isfinite(answer[place])))
    assume(not np.array_equal(value, answer, equal_nan=True))
    mismatch = compare(value, ARRAY, answer, Tolerance(1e300, 1e300))
    assert mismatch is not None
    assert (mismatch.kind, mismatch.count) == ("non_finite", 1)


def _neighbours(number: float, steps: int) -> float:
    for _ in range(abs(steps)):
        number = math.nextafter(number, math.copysign(math.inf, steps))
    return number


@given(
    FINITE,
    st.floats(0, 2) | BOUNDS,
    st.floats(0, 1e6) | BOUNDS | st.just(5e-324),
    st.integers(-3, 3),
    st.booleans(),
)
def test_the_edge_of_the_tolerance_is_where_exact_arithmetic_puts_it(
    want: float, rtol: float, atol: float, steps: int, below: bool
) -> None:
    """Within three floats of the edge, on both sides of the answer, at any magnitude."""
    bound = Fraction(atol) + Fraction(rtol) * abs(Fraction(want))
    edge = Fraction(want) - bound if below else Fraction(want) + bound
    try:
        got = _neighbours(float(edge), steps)
    except OverflowError:
        got = 1.7976931348623157e308 if edge > 0 else -1.7976931348623157e308
    assume(math.isfinite(got))
    accepted = abs(Fraction(got) - Fraction(want)) <= bound
    assert (compare(got, NUMBER, want, Tolerance(rtol, atol)) is None) == accepted
    assert (compare([got] * 3, NESTED, [want] * 3, Tolerance(rtol, atol)) is None) == accepted


@given(st.integers(), st.integers(-5, 5), st.integers(0, 4))
def test_integers_are_compared_exactly_at_any_size(want: int, off: int, atol: int) -> None:
    """Also beyond 2^53 and beyond 64 bits, alone and in lists."""
    leaf = Leaf("integer", rtol=0.0, atol=float(atol))
    for value, contract, answer in (
        (want + off, leaf, want),
        ([want + off, want], Leaf("nested_list", rtol=0.0, atol=float(atol)), [want, want]),
    ):
        assert (compare(value, contract, answer, EXACT) is None) == (abs(off) <= atol)


@given(
    st.floats(-1e6, 1e6)
    | st.floats(-1e-6, 1e-6)
    | st.integers(-(10**9), 10**9).map(lambda n: n / 2**8),
    st.integers(0, 8),
    st.sampled_from([0.0, 1e-12, 1e-9]),
    st.integers(-2, 2),
    st.integers(-3, 3),
)
def test_rounding_accepts_the_half_unit_plus_guard_on_the_grid_and_nothing_else(
    want: float, places: int, guard: float, step: int, ulps: int
) -> None:
    """Exactly: |got-want| <= 10^-k/2 + guard|want| + 1 ulp, and got within an ulp of the grid."""
    nearest = round(Fraction(want) * 10**places) + step
    grid = float(Fraction(nearest, 10**places))
    got = _neighbours(grid, ulps)
    assume(abs(got) * 10**places < 1e14)
    ulp = Fraction(math.ulp(max(abs(got), abs(want))))
    bound = Fraction(1, 2 * 10**places) + Fraction(guard) * abs(Fraction(want)) + ulp
    near = abs(Fraction(got) - Fraction(want)) <= bound
    closest = float(Fraction(round(Fraction(got) * 10**places), 10**places))
    on_grid = abs(got - closest) <= math.ulp(closest)
    mismatch = compare(got, Leaf("number", round=places, guard=guard), want, EXACT)
    if near and on_grid:
        assert mismatch is None
    else:
        assert mismatch is not None
        assert mismatch.kind == ("rounding" if near else "value")


@given(st.integers(-(10**7), 10**7), st.sampled_from([6, 7]))
def test_both_neighbours_pass_at_a_tie_however_it_was_rounded(odd: int, places: int) -> None:
    """round, np.round and formatting differ at ties j/2^(k+1); all three are right."""
    tie = (2 * odd + 1) / 2 ** (places + 1)
    leaf = Leaf("number", round=places)
    half_up = math.floor(tie * 10**places + 0.5) / 10**places
    for got in (
        round(tie, places),
        float(np.round(tie, places)),
        float(f"{tie:.{places}f}"),
        half_up,
    ):
        assert compare(got, leaf, tie, EXACT) is None
    unrounded = compare(tie, leaf, tie, EXACT)
    assert unrounded is not None
    assert unrounded.kind == "rounding"
