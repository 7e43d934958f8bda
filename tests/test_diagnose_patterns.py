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
from app.model import Contents, TestCase, Value, Variant
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


# --- Signs ----------------------------------------------------------------------------------------


def test_unsigned_integers_have_negatives() -> None:
    """Whatever the type in which the answer is kept."""
    inputs = [np.array([3, n], dtype=np.uint8) for n in range(4)]
    shown = variant(ARRAY, lambda m: m, inputs)
    assert name_of(shown, lambda m: -(m.astype(int))) == "negated"


@pytest.mark.parametrize(
    ("size", "expected"),
    [(2**53 - 1, "negated"), (1 - 2**53, "negated"), (2**53 + 1, ""), (-(2**53) - 1, "")],
)
def test_integers_have_patterns_as_far_as_a_float_counts(size: int, expected: str) -> None:
    """Beyond that, also where one was returned as it should be."""
    shown = variant(Leaf("integer"), lambda n: n, [1, 2, size])
    assert name_of(shown, lambda n: -n) == expected
    assert name_of(shown, lambda n: n if abs(n) > 2 else -n) == ""
    assert name_of(shown, lambda n: int(float(n))) == ""  # 2**53 is no transpose of 2**53 + 1


def test_integers_in_arrays_have_patterns_too() -> None:
    """All of them as far as a float counts, or none."""
    inputs = [np.array([1, 2, n]) for n in (3, 4, 5)]
    shown = variant(Leaf("integer"), lambda m: m, inputs)
    assert name_of(shown, lambda m: m[::-1]) == "reversed"
    inputs.append(np.array([1, 2, 2**53 + 2]))
    assert name_of(variant(Leaf("integer"), lambda m: m, inputs), lambda m: m[::-1]) == "permuted"


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
    "long doubles in a list": (lambda m: [np.longdouble(x * 2.0) for x in m.ravel()], "reshaped"),
    "an array and numbers": (lambda m: [m[0] * 2.0, *(m[1] * 2.0).tolist()], "reshaped"),
    "dicts in a list": (lambda m: [{"a": m[0] * 2.0}, {"a": m[1] * 2.0}], "reshaped"),
    "an empty list": (lambda m: [], ""),
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


@pytest.mark.parametrize(
    "alike",
    [lambda m: list(m), lambda m: tuple(m), lambda m: m.tolist(), lambda m: tuple(m.tolist())],
)
@pytest.mark.parametrize("empty", [False, True])
def test_what_holds_the_numbers_is_no_shape(alike: Callable[[Any], Value], empty: bool) -> None:
    """A list of rows has the shape of a table, so not every failure is one of shape."""
    odd = np.zeros(0) if empty else MATRICES[0]
    shown = variant(ARRAY, lambda m: m * 1.0, [odd, *MATRICES[1:]])
    assert name_of(shown, lambda m: alike(m) if m is odd else m.ravel()) == ""


def test_items_of_different_shapes_have_a_shape_each() -> None:
    """Only the second is in another shape than the one asked for."""
    shown = variant(ListOf(ARRAY), lambda m: [m[0] * 2.0, m.ravel() * 3.0], MATRICES)
    assert name_of(shown, lambda m: [m[0] * 2.0, m * 3.0]) == "reshaped"
    assert name_of(shown, lambda m: [m[0] * 2.0, m.ravel()[::-1] * 3.0]) == "permuted"
    assert name_of(shown, lambda m: [m.ravel() * 3.0, m[0] * 2.0]) == "reversed"


def test_numbers_for_a_text_are_no_numbers_in_another_order() -> None:
    """There are none to find."""
    shown = variant(Leaf("string"), lambda m: "text", MATRICES)
    assert name_of(shown, lambda m: m * 1.0) == ""
    assert name_of(shown, lambda m: 5.0) == ""


def test_each_number_in_another_shape_has_places_of_its_own() -> None:
    """Pairs of two numbers, of which each is rounded as it is asked for."""
    pairs = ListOf(Tuple((Leaf("number", round=4), Leaf("number", round=1))))
    shown = variant(pairs, lambda m: [(float(a), float(b)) for a, b in m], MATRICES)
    flat = lambda m: [round(float(x), (4, 1)[i % 2]) for i, x in enumerate(m.ravel())]  # noqa: E731
    assert name_of(shown, flat) == "reshaped"
    assert name_of(shown, lambda m: m.ravel().tolist()) == ""


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
        (1 + 1.2e-8, "1 + 1.2e-08"),
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


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("small", [0, 1])
def test_small_numbers_tell_no_factor_beside_large_ones(sign: float, small: int) -> None:
    """Off by less than is allowed they have any: in the same array, and in another output."""
    loose = Tolerance(1e-9, 1e-3)

    def two(m: Any, by: float, off: float) -> Any:
        large, little = sign * (m**2 + 1000) * by, np.full((2, 2), 2e-3 * by + off)
        return (little, large) if small == 0 else (large, little)

    pair = replace(
        variant(Tuple((ARRAY, ARRAY)), lambda m: two(m, 1.0, 0.0), MATRICES), tolerance=loose
    )
    assert name_of(pair, lambda m: two(m, 3.0, 5e-4)) == "times_a_constant"
    array = replace(variant(ARRAY, lambda m: np.stack(two(m, 1.0, 0.0)), MATRICES), tolerance=loose)
    assert name_of(array, lambda m: np.stack(two(m, 3.0, 5e-4))) == "times_a_constant"


def test_answers_below_one_have_factors_too() -> None:
    """However small they are."""
    shown = variant(ARRAY, lambda m: m * 1e-5, MATRICES, samples=1)
    found = diagnose(shown, results(shown, lambda m: m * 3e-5), compare)
    assert found is not None
    assert found.title == "Off by a constant factor (3)"


@pytest.mark.parametrize("odd", [[[2.0, 0.1], [0.2, 1.9]], [[0.0, 0.0], [0.0, 0.0]]])
def test_no_factor_of_one_or_zero_is_named(odd: Any) -> None:
    """On a sample where the largest number is right, or nothing, within what is allowed."""
    inputs = [np.array([[2.0, 0.1], [0.2, 0.7]]), *(m * 1e3 for m in MATRICES)]
    wide = Tolerance(0.0, 1.1)
    shown = replace(variant(ARRAY, lambda m: m * 1.0, inputs, samples=1), tolerance=wide)
    by = 1.5 if np.any(odd) else 0.5

    def program(matrix: Any) -> Value:
        return np.array(odd) if matrix is inputs[0] else matrix * by

    found = diagnose(shown, results(shown, program), compare)
    assert found is not None
    assert found.title == "Off by a constant factor"


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
