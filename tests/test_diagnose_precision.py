"""Patterns of precision at their edges: single precision, what was rounded too early or cut off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from app.contract import (
    Contract,
    Leaf,
    ListOf,
    Tolerance,
    Tuple,
)
from app.model import Returned, Value
from tests.test_diagnose import name_of
from tests.test_diagnose_patterns import ARRAY, MATRICES, NUMBER, variant


def test_an_empty_part_is_as_right_as_any_other() -> None:
    """Of an array of whole numbers, reused for one part only."""
    shown = variant(
        ListOf(Leaf("array_like")), lambda m: [[], [1.5, -2.5], [2.5]], [np.array([1, 2])] * 2
    )
    assert name_of(shown, lambda m: [[], [1.0, -2.0], [2.5]]) == "truncated"


# --- Single precision -----------------------------------------------------------------------------


def _drifting(matrix: Any) -> Any:
    """Off by some 1e-7 up and down, and no float32."""
    signs = np.where(np.arange(matrix.size).reshape(matrix.shape) % 2, 1, -1)
    return matrix * (1 + 7.3e-8 * signs)


@pytest.mark.parametrize(
    ("tests", "program", "expected"),
    [
        (1, lambda m: m.astype(np.float32), ""),
        (2, lambda m: m.astype(np.float32), "single_precision"),
        (3, _drifting, ""),
        (4, _drifting, "single_precision"),
        (5, lambda m: m * (1 + 1e-7 * np.where(m > 1, 1, 2)), ""),
        (5, lambda m: m * (1 + 9e-7 * np.where(m > 1, 1, -1)), "single_precision"),
        (5, lambda m: m * (1 + 1.1e-6 * np.where(m > 1, 1, -1)), ""),
        (5, lambda m: m * (1 + 5e-10 * np.where(m > 1, 4, -1)), "single_precision"),
        (5, lambda m: m.astype(np.float16), ""),
    ],
)
def test_how_much_must_look_like_single_precision(
    tests: int, program: Callable[[Any], Value], expected: str
) -> None:
    """Two tests where all results are float32s, else four whose errors point both ways."""
    assert name_of(variant(ARRAY, lambda m: m * 1.0, MATRICES[:tests]), program) == expected


@pytest.mark.parametrize(
    ("number", "extreme"),
    [(1e18, False), (1.1e18, True), (-1e30, True), (1e-18, False), (0.9e-18, True), (0.0, False)],
)
@pytest.mark.parametrize(
    "put",
    [
        lambda a: a,
        lambda a: [1.0, a],
        lambda a: (a,),
        lambda a: {"b": 1.0, "a": a},
        lambda a: a.tolist(),
        lambda a: ("text", None, True, a),
        lambda a: [np.float32(1), *map(np.float64, a.ravel())],
        lambda a: [np.int8(1), *map(np.longdouble, a.ravel())],
    ],
)
def test_single_precision_is_not_judged_by_extreme_arguments(
    put: Callable[[Any], Any], number: float, extreme: bool
) -> None:
    """Their squares are beyond a float32: anything may come of them, in whatever container they are."""
    odd = put(np.array([[number, 1.0], [1.0, 1.0]]))
    inputs = [odd, *map(put, MATRICES[:3])]
    answers = {id(value): m for value, m in zip(inputs, MATRICES, strict=False)}
    shown = variant(ARRAY, lambda value: answers[id(value)] * 1.0, inputs)

    def program(value: Any) -> Value:
        exact = answers[id(value)]
        return exact * 3 if value is odd else exact.astype(np.float32)

    assert (name_of(shown, program) == "single_precision") is extreme


@pytest.mark.parametrize("long", [10**400, -(2**63), np.int64(-(2**63)), np.full((2, 2), -(2**63))])
def test_long_integers_are_extreme_arguments(long: Any) -> None:
    """Whatever their type, and though no float64 may hold them."""
    shown = variant(ARRAY, lambda v: MATRICES[0] if v is long else v * 1.0, [long, *MATRICES[1:]])
    single = lambda v: MATRICES[0] * 3 if v is long else v.astype(np.float32)  # noqa: E731
    assert name_of(shown, single) == "single_precision"


@pytest.mark.parametrize(
    ("off", "expected"), [(0.99e-9, ""), (1.2e-9, "single_precision"), (9.9e-7, "single_precision")]
)
def test_a_single_precision_error_has_its_size(off: float, expected: str) -> None:
    """The largest error of each test is that of a float32; a zero that is right has none."""
    with_zero = [np.append(m.ravel(), 0.0) for m in MATRICES]
    signs = np.array([1, -1, 0, 1, 1])
    shown = replace(variant(ARRAY, lambda m: m * 1.0, with_zero), tolerance=Tolerance(1e-12, 0.0))
    assert name_of(shown, lambda m: m * (1 + off * signs)) == expected


def test_an_error_in_each_test_has_the_size_of_a_float32() -> None:
    """A billionth is enough, and in none less than that."""
    counts = [np.array([1e9, 1e9, n]) for n in range(1, 6)]
    shown = replace(variant(ARRAY, lambda m: m * 1.0, counts), tolerance=Tolerance(1e-12, 0.0))
    billionth = np.array([1.0, -1.0, 0.0])
    assert name_of(shown, lambda m: m + billionth) == "single_precision"
    for odd in (counts[0], counts[4]):

        def less(counts: Any, odd: Any = odd) -> Value:
            return counts + billionth / (2 if counts is odd else 1)

        assert name_of(shown, less) == ""


@pytest.mark.parametrize("place", [0, 1])
def test_each_number_must_be_a_float32_where_tests_are_few(place: int) -> None:
    """On both tests, and in each row."""
    shown = variant(ARRAY, lambda m: m * 1.0, MATRICES[:2])

    def one_test(matrix: Any) -> Value:
        return _drifting(matrix) if matrix is MATRICES[place] else matrix.astype(np.float32)

    def one_row(matrix: Any) -> Value:
        mixed = matrix.astype(np.float32).astype(np.float64)
        mixed[place] = _drifting(matrix)[place]
        return mixed

    assert name_of(shown, one_test) == ""
    assert name_of(shown, one_row) == ""


def test_what_is_right_says_nothing_of_its_precision() -> None:
    """Two tests of float32s are enough, also beside one that passed."""
    shown = variant(ARRAY, lambda m: m * 1.0, MATRICES[:3])
    single = lambda m: m * 1.0 if m is MATRICES[1] else m.astype(np.float32)  # noqa: E731
    assert name_of(shown, single) == "single_precision"


def test_single_precision_is_found_in_every_number_of_an_output() -> None:
    """In lists of arrays too; one array of another shape or one text and nothing is said."""
    shown = variant(ListOf(ARRAY), lambda m: [m * 1.0, m[0] * 2.0], MATRICES)
    single = lambda m: [m.astype(np.float32), m[0] * 2.0]  # noqa: E731
    assert name_of(shown, single) == "single_precision"
    assert name_of(shown, lambda m: [m.astype(np.float32), m * 2.0]) == ""
    assert name_of(shown, lambda m: [m.astype(np.float32), "x"]) == ""


@pytest.mark.parametrize(
    ("below", "expected"),
    [(1e-10, "rounded_elsewhere"), (2.4e-10, "rounded_elsewhere"), (4e-10, "")],
)
def test_what_is_rounded_too_early_need_not_be_exact_before(below: float, expected: str) -> None:
    """A number a billionth below a tie may have been rounded up; more is another error."""
    shown = variant(ARRAY, lambda m: np.append(m.ravel(), 0.25 - below), MATRICES)

    def program(matrix: Any) -> Value:
        return np.round(np.append(matrix.ravel(), 0.25 + 1e-9), 1)

    assert name_of(shown, program) == expected


# --- Cut off --------------------------------------------------------------------------------------

WHOLE = np.array([[1, 2], [3, 5]])


@pytest.mark.parametrize(
    "put",
    [
        lambda a: a,
        lambda a: [a],
        lambda a: (1.5, a),
        lambda a: {"w": a},
        lambda a: a.tolist(),
        lambda a: a.astype(np.uint8),
    ],
)
def test_whole_numbers_are_found_in_every_argument(put: Callable[[Any], Any]) -> None:
    """An array of integers was filled with fractions; the tests with floats pass."""
    inputs = [*(m * 1.0 for m in MATRICES), put(WHOLE)]
    shown = variant(ARRAY, lambda v: (v if v is not inputs[-1] else WHOLE) * 2.1, inputs)

    def cut(value: Any) -> Value:
        return (WHOLE * 2.1).astype(int) if value is inputs[-1] else value * 2.1

    assert name_of(shown, cut) == "truncated"
    floats = variant(ARRAY, lambda v: v * 2.1, MATRICES)
    assert name_of(floats, lambda v: np.trunc(v * 2.1) if v is MATRICES[4] else v * 2.1) == ""


def test_some_arrays_are_cut_off_and_the_others_are_right() -> None:
    """Each is made like its argument; one that is wrong in another way and nothing is said."""
    pairs = [(WHOLE + shift, WHOLE / 7 + shift) for shift in range(3)]
    made = lambda pair: [a * 2.1 for a in pair]  # noqa: E731
    shown = variant(ListOf(ARRAY), made, pairs)
    assert name_of(shown, lambda p: [(a * 2.1).astype(a.dtype) for a in p]) == "truncated"
    assert name_of(shown, lambda p: [(p[0] * 2.1).astype(int), p[1] * 2.2]) == ""
    assert name_of(shown, lambda p: [(p[0] * 2.1).astype(int)]) == ""
    assert name_of(shown, lambda p: [(p[0] * 2.1).astype(int), "x"]) == ""


PUT: list[Callable[[Any], Any]] = [
    lambda a: a,
    lambda a: a.tolist(),
    lambda a: {"w": a},
    lambda a: (a, 2.5),
]


@pytest.mark.parametrize("put", PUT)
def test_floats_are_no_whole_numbers_in_any_container(put: Callable[[Any], Any]) -> None:
    """Cut off on one test and right on the others: no array of integers explains it."""
    inputs = [put(m) for m in MATRICES]
    plain = {id(value): m for value, m in zip(inputs, MATRICES, strict=True)}
    shown = variant(ARRAY, lambda v: plain[id(v)] * 2.1, inputs)

    def program(value: Any) -> Value:
        right = plain[id(value)] * 2.1
        return np.trunc(right) if value is inputs[2] else right

    assert name_of(shown, program) == ""


@pytest.mark.parametrize("contract", [ARRAY, Leaf("array", dtype_kinds="f")])
def test_one_array_of_whole_numbers_beside_floats_is_enough(contract: Contract) -> None:
    """Also where floats are asked for by their type."""
    inputs = [{"b": MATRICES[0], "w": WHOLE}, *({"b": m, "w": m} for m in MATRICES)]
    shown = variant(contract, lambda v: v["w"] * 2.1, inputs)
    assert name_of(shown, lambda v: (v["w"] * 2.1).astype(v["w"].dtype)) == "truncated"


def test_each_wrong_output_and_array_must_have_been_cut_off() -> None:
    """Another error beside it, in another output or in a later array, and nothing is said."""
    wholes: list[Any] = [WHOLE + shift for shift in range(3)]
    inputs = [*wholes, MATRICES[0]]
    pair = variant(Tuple((ARRAY, NUMBER)), lambda m: (m * 2.1, float(m[0, 0]) / 7), inputs)
    both = lambda m: ((m * 2.1).astype(m.dtype), float(m[0, 0]) / 7)  # noqa: E731
    assert name_of(pair, both) == "truncated"
    other = lambda m: ((m * 2.1).astype(m.dtype), m[0, 0] / 7 + (m.dtype == int))  # noqa: E731
    assert name_of(pair, other) == ""
    three = variant(ListOf(ARRAY), lambda m: [m * 2.1, m * 1.0, m * 1.7], inputs)
    cut = lambda m: [(m * 2.1).astype(m.dtype), m * 1.0, m * 1.7]  # noqa: E731
    assert name_of(three, cut) == "truncated"
    last = lambda m: [(m * 2.1).astype(m.dtype), m * 1.0, m * (1.9 if m.dtype == int else 1.7)]  # noqa: E731
    assert name_of(three, last) == ""


def test_a_tiny_error_is_not_what_was_cut_off() -> None:
    """Every number is right to a billionth, and wrong: the arguments being whole says nothing."""
    inputs = [WHOLE, WHOLE + 1, MATRICES[0]]
    shown = replace(variant(ARRAY, lambda m: m * 2.1, inputs), tolerance=Tolerance(0.0, 0.0))
    signs = np.array([[1, -1], [-1, 1]])
    tiny = lambda m: m * 2.1 * (1 + (m.dtype == int) * 1e-12 * signs)  # noqa: E731
    assert name_of(shown, tiny) == ""


@pytest.mark.parametrize("size", [2**70, 10**400])
def test_long_integers_were_not_cut_off(size: int) -> None:
    """No float64 counts that far; nothing is said, and nothing raised."""
    made: Callable[[Any], Any] = lambda m: [size + int(m[0, 0]), 3]  # noqa: E731
    shown = variant(ListOf(Leaf("integer")), made, [WHOLE, WHOLE + 1, WHOLE + 2])
    assert name_of(shown, lambda m: [made(m)[0] + 5, 3]) == ""


def test_a_changed_input_beside_what_was_cut_off_is_another_error() -> None:
    """Right numbers that failed for another reason are not explained by it."""
    wholes = [WHOLE + shift for shift in range(3)]
    shown = replace(variant(ARRAY, lambda m: m * 2.1, wholes), preserve_inputs=True)

    def program(matrix: Any) -> Returned:
        if matrix is wholes[1]:
            return Returned(matrix * 2.1, False)
        return Returned((matrix * 2.1).astype(int), True)

    assert name_of(shown, program) == ""
    assert name_of(shown, lambda m: (m * 2.1).astype(int)) == "truncated"


def test_every_failure_must_have_whole_numbers_among_its_arguments() -> None:
    """Where floats were cut off as well, and other floats were not, it was no array of integers."""
    inputs = [WHOLE, *MATRICES]
    shown = variant(ARRAY, lambda m: m * 2.1, inputs)
    cut: Callable[[Any], Value] = lambda m: np.trunc(m * 2.1)  # noqa: E731
    right: Callable[[Any], Value] = lambda m: m * 2.1  # noqa: E731
    assert name_of(shown, lambda m: cut(m) if m is WHOLE else right(m)) == "truncated"
    some = (WHOLE, MATRICES[0])
    assert name_of(shown, lambda m: cut(m) if any(m is x for x in some) else right(m)) == ""
