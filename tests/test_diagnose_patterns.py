"""Patterns at their edges: how much evidence each needs, and in which containers it is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from app.compare import compare
from app.contract import (
    AnySequence,
    Argument,
    Contract,
    Dict,
    DictOf,
    Leaf,
    ListOf,
    Tolerance,
    Tuple,
)
from app.diagnose import diagnose
from app.model import Contents, Returned, TestCase, Value, Variant
from tests.test_diagnose import a_variant, but_on, name_of, results

ARRAY, NUMBER = Leaf("array"), Leaf("number")
PI = np.pi
MATRICES = [
    np.array([[1.5, -2.25], [3.125, 0.3]]) * PI + shift for shift in (0.0, 1.25, -3.5, 7.0, 0.125)
]


def variant(
    returns: Contract, made: Callable[[Any], Any], inputs: list[Any], samples: int = 0
) -> Variant:
    """One argument a test; the first tests are samples."""

    def case(number: int, value: Any) -> TestCase:
        contents = Contents((value,), made(value))
        return TestCase(f"t{number}", (), number < samples, lambda: contents)

    tests = tuple(case(number, value) for number, value in enumerate(inputs))
    return replace(
        a_variant(),
        returns=returns,
        tests=tests,
        arguments=(Argument("m", Leaf("array_like")),),
    )


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
    "put", [lambda a: a, lambda a: [1.0, a], lambda a: (a,), lambda a: {"b": 1.0, "a": a}]
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


@pytest.mark.parametrize(
    ("off", "expected"), [(0.99e-9, ""), (1.2e-9, "single_precision"), (9.9e-7, "single_precision")]
)
def test_a_single_precision_error_has_its_size(off: float, expected: str) -> None:
    """The largest error of each test is that of a float32; a zero that is right has none."""
    with_zero = [np.append(m.ravel(), 0.0) for m in MATRICES]
    signs = np.array([1, -1, 0, 1, 1])
    shown = replace(variant(ARRAY, lambda m: m * 1.0, with_zero), tolerance=Tolerance(1e-12, 0.0))
    assert name_of(shown, lambda m: m * (1 + off * signs)) == expected


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


def test_changed_inputs_are_told_with_what_changes_them() -> None:
    """Where every number is right."""
    shown = replace(variant(ARRAY, lambda m: m * 2.1, MATRICES), preserve_inputs=True)
    found = diagnose(shown, results(shown, lambda m: Returned(m * 2.1, False)), compare)
    assert found is not None
    assert (found.name, found.title) == ("inputs_changed", "The inputs were changed")
    assert found.explanation == (
        "The returned numbers are right, but the arguments are no longer what they were before the "
        "call. `a *= b`, `a[...] = b` and `out=a` write into the caller's arrays; `a * b` makes a new "
        "one."
    )


# --- Order and shape ------------------------------------------------------------------------------


@pytest.mark.parametrize("contract", [ListOf(ARRAY), AnySequence(ARRAY)])
@pytest.mark.parametrize("kind", [list, tuple])
def test_a_list_of_arrays_may_be_reversed(contract: Contract, kind: type) -> None:
    """As a whole, or each array in itself."""
    if kind is tuple and isinstance(contract, ListOf):
        return
    shown = variant(contract, lambda m: kind((m[0] * 1.0, m[1] * 2.0, m[0] * 5.0)), MATRICES)

    def right(matrix: Any) -> list[Any]:
        return [matrix[0] * 1.0, matrix[1] * 2.0, matrix[0] * 5.0]

    assert name_of(shown, lambda m: kind(right(m)[::-1])) == "reversed"
    assert name_of(shown, lambda m: kind(a[::-1] for a in right(m))) == "reversed"


SHAPED: dict[str, tuple[Callable[[Any], Value], str]] = {
    "flat": (lambda m: m.ravel() * 2.0, "reshaped"),
    "nested lists": (lambda m: [[[x * 2.0] for x in row] for row in m.tolist()], "reshaped"),
    "NumPy scalars in a list": (lambda m: [np.float64(x * 2.0) for x in m.ravel()], "reshaped"),
    "arrays in tuples in a dict": (
        lambda m: {"a": (m[0] * 2.0, [m[1] * 2.0])},
        "reshaped",
    ),
    "whole numbers among them": (lambda m: [*(m.ravel() * 2.0).tolist()[:3], 5], ""),
    "sorted and flat": (lambda m: np.sort(m, axis=None) * 2.0, "permuted"),
    "a bool among them": (lambda m: [*(m.ravel() * 2.0).tolist()[:3], True], ""),
    "a text among them": (lambda m: [*(m.ravel() * 2.0).tolist()[:3], "x"], ""),
    "None among them": (lambda m: [m[0] * 2.0, None], ""),
    "complex numbers": (lambda m: (m.ravel() * 2.0).astype(complex), ""),
    "an array of bools": (lambda m: [m[0] * 2.0, m[1] > 0], ""),
    "too large a number": (lambda m: [*(m.ravel() * 2.0).tolist()[:3], 10**400], ""),
    "one missing": (lambda m: m.ravel()[:3] * 2.0, ""),
    "other numbers in another shape": (lambda m: m.ravel() * 2.0 + m[0, 0], ""),
}


@pytest.mark.parametrize("name", SHAPED)
def test_the_right_numbers_are_found_in_any_container(name: str) -> None:
    """And nothing is said where there is anything else among them."""
    program, expected = SHAPED[name]
    assert name_of(variant(ARRAY, lambda m: m * 2.0, MATRICES), program) == expected


def test_a_shape_must_be_wrong_on_every_failed_test_to_be_called_so() -> None:
    """In some the right shape and the wrong numbers: not reshaped."""
    shown = variant(ARRAY, lambda m: m * 2.0, MATRICES)
    for other in (lambda m: m * m, lambda m: np.sort(m, axis=None).reshape(2, 2) * 2.0):

        def program(matrix: Any, other: Callable[[Any], Value] = other) -> Value:
            return matrix.ravel() * 2.0 if matrix is MATRICES[0] else other(matrix)

        assert name_of(shown, program) == ""


def test_right_numbers_in_another_shape_may_be_rounded() -> None:
    """To the places that the output asks for."""
    shown = variant(Leaf("nested_list", round=2), lambda m: (m * 2.1).tolist(), MATRICES)
    assert name_of(shown, lambda m: np.round(m * 2.1, 2).ravel().tolist()) == "reshaped"
    assert name_of(shown, lambda m: np.sort(np.round(m * 2.1, 2), axis=0).tolist()) != "reshaped"


# --- A constant factor ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("factor", "written"),
    [
        (3.0, "3"),
        (-0.5, "-0.5"),
        (1.5, "1.5"),
        (1 + 2e-8, "1 + 2e-08"),
        (1 - 3.3e-7, "1 - 3.3e-07"),
        (1 / 3, "0.333333"),
        (1 + 9e-9, None),
        (1 - 9e-9, None),
    ],
)
def test_a_factor_is_told_in_six_digits_or_by_its_distance_from_one(
    factor: float, written: str | None
) -> None:
    """Too near to 1, it is no factor but an error of another kind."""
    shown = variant(ARRAY, lambda m: m * 1.0, MATRICES, samples=1)
    found = diagnose(shown, results(shown, lambda m: m * factor), compare)
    title = found.title if found else None
    assert title == (written and f"Off by a constant factor ({written})")


def test_the_largest_number_tells_the_factor_best() -> None:
    """Of all outputs that are wrong; small ones may be too inexact."""
    contract = Dict((("a", ARRAY), ("b", DictOf(NUMBER))))
    made = lambda m: {"a": m * 1e-9, "b": {"x": float(m[0, 0]) * 1e3}}  # noqa: E731
    shown = variant(contract, made, MATRICES, samples=1)
    program = lambda m: {"a": m * 3e-9 * (1 + 4e-10), "b": {"x": float(m[0, 0]) * 3e3}}  # noqa: E731
    found = diagnose(shown, results(shown, program), compare)
    assert found is not None
    assert found.title == "Off by a constant factor (3)"


@pytest.mark.parametrize(
    "program",
    [
        lambda m: m[0] * 3,
        lambda m: np.where(m == m.max(), np.inf, m * 3),
        lambda m: np.where(np.abs(m) == np.abs(m).max(), 0.0, m * 3),
        lambda m: (m * 3).astype(complex),
        lambda m: "x",
        lambda m: m * (3 if m is MATRICES[0] else 4),
    ],
)
def test_what_is_no_constant_factor_has_none(program: Callable[[Any], Value]) -> None:
    """Another shape, an infinity or a zero where the answer is largest, or two factors."""
    assert name_of(variant(ARRAY, lambda m: m * 1.0, MATRICES), program) != "times_a_constant"


def test_an_empty_output_has_no_factor() -> None:
    """Nor any other pattern of numbers."""
    inputs = [*MATRICES, np.zeros((0, 2))]
    shown = variant(ARRAY, lambda m: m * 1.0, inputs)
    assert name_of(shown, lambda m: m * 3 if m.size else np.zeros(3)) == ""
    assert name_of(shown, lambda m: m * 3) == "times_a_constant"


def test_a_factor_needs_three_tests_and_not_three_outputs() -> None:
    """Two tests with two wrong outputs each are two tests."""
    pair = Tuple((ARRAY, NUMBER))
    made = lambda m: (m * 1.0, float(m[0, 0]))  # noqa: E731
    program = lambda m: (m * 3.0, float(m[0, 0]) * 3)  # noqa: E731
    assert name_of(variant(pair, made, MATRICES[:2]), program) == ""
    assert name_of(variant(pair, made, MATRICES[:3]), program) == "times_a_constant"


# --- Arguments that came back ---------------------------------------------------------------------


def test_an_argument_came_back_only_if_it_is_more_than_a_number() -> None:
    """A number may be anybody's; an array that is the same on every test is no chance."""
    one = replace(
        variant(NUMBER, lambda v: v * 2.0, [1.5, 2.5, 3.75, -4.0]),
        arguments=(Argument("x", NUMBER),),
    )
    assert name_of(one, lambda v: v * 1.0) != "returned_unchanged"
    listed = replace(
        variant(ListOf(ARRAY), lambda v: [a * 2.0 for a in v], [[m, m[0]] for m in MATRICES]),
        arguments=(Argument("grads", ListOf(ARRAY)),),
    )
    found = diagnose(listed, results(listed, lambda v: v), compare)
    assert found is not None
    assert found.title == "grads came back unchanged"
    assert found.explanation == (
        "On every test that fails, what is returned is `grads` as it was handed over. Is the changed "
        "copy returned, and is the condition ever true?"
    )
    assert name_of(listed, but_on(0, lambda v: v, lambda v: v)) == "returned_unchanged"


def test_the_factor_that_is_named_is_that_of_a_sample() -> None:
    """On a sample whose answer is next to nothing any factor fits: it must not name a secret one."""
    loose = Tolerance(1e-9, 1e-3)
    inputs = [1e-3, *(m.max() for m in MATRICES)]
    asked = replace(variant(NUMBER, lambda x: x, inputs, samples=1), tolerance=loose)

    def program(x: float) -> float:
        return x * (3.0 if x < 0.1 else 3.14159)

    found = diagnose(asked, results(asked, program), compare)
    assert found is None or "3.14159" not in found.title
