"""The diagnosis: one explanation that holds on every failed test and denies no passed one, or none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from app.compare import compare
from app.contract import Argument, Contract, Dict, DictOf, Leaf, ListOf, Tolerance, Tuple
from app.diagnose import Result, diagnose
from app.model import (
    Contents,
    Core,
    Crashed,
    Exceeded,
    Fact,
    Page,
    Raised,
    Returned,
    TestCase,
    Value,
    Variant,
)

# Five tests of a function from a matrix to (something like twice the matrix, a number).
INPUTS = (
    np.array([[1.5, -2.25], [3.125, 0.3]]),
    np.array([[-7.7, 1 / 3], [2 / 7, 5.5]]),
    np.array([[0.1, 0.2], [-0.7, 11.1]]),
    np.array([[4.4, 3.3], [1e-3, -2.0 / 3]]),
    np.array([[9.9, -8.8], [7.7, 6.1]]),
)
PAIR = Tuple((Leaf("array"), Leaf("number")))
ROUNDED = Dict((("out", ListOf(Leaf("number", round=3))), ("size", Leaf("number", round=3))))


def answer(matrix: Any) -> Any:
    return matrix * 2.1, float(np.sum(matrix)) + 1 / 7


def answer_rounded(matrix: Any) -> Any:
    """Unrounded, as answers are."""
    return {"out": (matrix * 2.1).ravel().tolist(), "size": float(np.sum(matrix)) + 1 / 7}


def a_variant(
    returns: Contract = PAIR, made: Callable[[Any], Any] = answer, sample: bool = False, **more: Any
) -> Variant:
    def case(number: int, matrix: Any) -> TestCase:
        contents = Contents((matrix,), made(matrix))
        return TestCase(f"t{number}", (), sample, lambda: contents)

    variant = Variant(
        id="twice/pair",
        title="Twice",
        entry_point="twice",
        arguments=(Argument("m", ListOf(Leaf("array"))),),
        returns=returns,
        tolerance=Tolerance(1e-9, 0.0),
        tests=tuple(case(number, matrix) for number, matrix in enumerate(INPUTS)),
        core=Core("", (), (), ()),
        version="v1",
        page=Page("easy", 5, "", ""),
    )
    return replace(variant, **more)


def results(variant: Variant, program: Callable[[Any], Fact | Value]) -> list[Result]:
    """How the tests go for a program that returns a value, or a fact."""
    made = []
    for test in variant.tests:
        contents = test.contents()
        value = program(contents.arguments[0])
        fact = (
            value
            if isinstance(value, Returned | Raised | Exceeded | Crashed)
            else Returned(value, True)
        )
        passed = (
            isinstance(fact, Returned)
            and (fact.inputs_unchanged or not variant.preserve_inputs)
            and compare(fact.value, variant.returns, contents.answer, variant.tolerance) is None
        )
        made.append(Result(test, passed, None if passed else fact))
    return made


def name_of(variant: Variant, program: Callable[[Any], Fact | Value]) -> str:
    found = diagnose(variant, results(variant, program), compare)
    return found.name if found else ""


def _single_inside(matrix: Any) -> Value:
    """The result is float64 again, and holds no float32 any more."""
    halves = (matrix * 0.7).astype(np.float32), (matrix * 1.4).astype(np.float32)
    return halves[0].astype(np.float64) + halves[1].astype(np.float64), answer(matrix)[1]


PATTERNS: dict[str, tuple[str, Callable[[Any], Value]]] = {
    "nothing wrong": ("", lambda m: answer(m)),
    "a list for a tuple": ("wrong_container", lambda m: list(answer(m))),
    "lists for an array": ("wrong_container", lambda m: (answer(m)[0].tolist(), answer(m)[1])),
    "a dict for a tuple": ("wrong_container", lambda m: {"out": answer(m)[0], "n": answer(m)[1]}),
    "a wrong list for a tuple": ("", lambda m: [answer(m)[0] + 1, answer(m)[1]]),
    "swapped": ("swapped", lambda m: answer(m)[::-1]),
    "swapped, and a list for the array": (
        "swapped",
        lambda m: (answer(m)[1], answer(m)[0].tolist()),
    ),
    "zeros": ("all_zeros", lambda m: (m * 0, answer(m)[1])),
    "zeros everywhere": ("all_zeros", lambda m: (m * 0, 0.0)),
    "its argument": ("returned_unchanged", lambda m: (m, answer(m)[1])),
    "negated": ("negated", lambda m: (-answer(m)[0], answer(m)[1])),
    "absolute": ("absolute_values", lambda m: (np.abs(answer(m)[0]), answer(m)[1])),
    "two places": (
        "rounded_elsewhere",
        lambda m: (np.round(answer(m)[0], 2), round(answer(m)[1], 2)),
    ),
    "no places": ("rounded_elsewhere", lambda m: (answer(m)[0], float(round(answer(m)[1])))),
    "cut off": ("truncated", lambda m: (np.trunc(answer(m)[0]), answer(m)[1])),
    "cut off to integers": ("truncated", lambda m: (answer(m)[0].astype(int), answer(m)[1])),
    "floored": ("truncated", lambda m: (np.floor(answer(m)[0]), answer(m)[1])),
    "transposed": ("transposed", lambda m: (answer(m)[0].T, answer(m)[1])),
    "reversed": ("reversed", lambda m: (answer(m)[0][::-1], answer(m)[1])),
    "flat": ("reshaped", lambda m: (answer(m)[0].ravel(), answer(m)[1])),
    "one axis more": ("reshaped", lambda m: (answer(m)[0][None], answer(m)[1])),
    "sorted": (
        "permuted",
        lambda m: (np.sort(answer(m)[0], axis=None).reshape(2, 2), answer(m)[1]),
    ),
    "columns exchanged": ("permuted", lambda m: (answer(m)[0][:, ::-1], answer(m)[1])),
    "single": ("single_precision", lambda m: (answer(m)[0].astype(np.float32), answer(m)[1])),
    "single inside": ("single_precision", _single_inside),
    "three times": ("times_a_constant", lambda m: (answer(m)[0] * 3, answer(m)[1])),
    "both three times": ("times_a_constant", lambda m: (answer(m)[0] * 3, answer(m)[1] * 3)),
    "a constant added": ("", lambda m: (answer(m)[0] + 1e-3, answer(m)[1])),
    "a tiny constant off": (
        "times_a_constant",
        lambda m: (answer(m)[0] * (1 - 3e-8), answer(m)[1]),
    ),
    "two errors": ("", lambda m: (-answer(m)[0], answer(m)[1] + 1)),
    "another on each test": ("", lambda m: (answer(m)[0] * m[0, 0], answer(m)[1])),
    "nan": ("", lambda m: (m * np.nan, answer(m)[1])),
    "nothing": ("", lambda m: None),
    "an endless integer": ("", lambda m: (answer(m)[0], 10**4000)),
    "text": ("", lambda m: ("abc", "def")),
    "a mixture": ("", lambda m: ([1, [2, None]], {})),
    "an array of one": ("reshaped", lambda m: (answer(m)[0], np.array([answer(m)[1]]))),
    "one item too many": ("", lambda m: (*answer(m), 0.0)),
}


@pytest.mark.parametrize("name", PATTERNS)
def test_a_general_pattern_gets_its_name_and_anything_else_none(name: str) -> None:
    """No author had to foresee it: it follows from the contract and the answer."""
    expected, program = PATTERNS[name]
    assert name_of(a_variant(), program) == expected


def rounded_to(matrix: Any, places: int, size_places: int) -> dict[str, Any]:
    whole = answer_rounded(matrix)
    return {
        "out": [round(x, places) for x in whole["out"]],
        "size": round(whole["size"], size_places),
    }


def _out(whole: dict[str, Any], change: Callable[[Any], Any]) -> Value:
    return whole | {"out": change(whole["out"])}


def test_every_explanation_has_a_title_and_sentences_for_a_learner() -> None:
    """A title without a full stop, an explanation with one, and neither in the other's place."""
    found = [
        diagnose(variant, results(variant, program), compare)
        for variant, table in (
            (a_variant(), PATTERNS),
            (a_variant(ROUNDED, answer_rounded), ROUNDINGS),
        )
        for name, program in table.values()
        if name
    ]
    for one in found:
        assert one is not None
        assert one.name.isidentifier()
        assert one.title[0].isupper() or one.title.startswith("m ")
        assert one.title[-1].isalnum() or one.title.endswith(")")
        assert 3 <= len(one.title.split()) <= 16 or one.title in ("All zeros",)
        assert one.explanation.endswith((".", "?"))
        assert len(one.explanation.split()) > 10


def test_single_precision_says_nothing_about_numbers_that_float32_cannot_hold() -> None:
    """Where a square overflows, a program in single precision returns anything."""
    variant = a_variant()
    huge = np.array([[1e150, -2e150], [3e150, 1e149]])
    contents = Contents((huge,), answer(huge))
    extreme = TestCase("huge", (), False, lambda: contents)
    variant = replace(variant, tests=(*variant.tests, extreme))

    def single(matrix: Any) -> Value:
        with np.errstate(all="ignore"):
            return answer(matrix)[0].astype(np.float32), answer(matrix)[1]

    assert name_of(variant, single) == "single_precision"


def test_a_transformed_answer_may_hold_another_kind_of_number() -> None:
    """Whole numbers where floats are asked for: it is the decimals that are missing."""
    returns = Tuple((Leaf("array", dtype_kinds="f"), Leaf("number")))
    variant = a_variant(returns)
    assert name_of(variant, lambda m: (answer(m)[0].astype(int), answer(m)[1])) == "truncated"
    assert name_of(variant, lambda m: (np.zeros((2, 2), int), answer(m)[1])) == "all_zeros"


def test_numbers_are_found_in_nested_lists_and_tuples() -> None:
    """Reshaped is reshaped in any container that the contract allows."""
    variant = a_variant(Tuple((Leaf("array_like"), Leaf("number"))))
    nested = lambda m: (((answer(m)[0].tolist(),),), answer(m)[1])  # noqa: E731
    assert name_of(variant, nested) == "reshaped"


@pytest.mark.parametrize(
    ("places", "expected"), [(0, True), (1, True), (11, True), (12, True), (13, False)]
)
def test_up_to_twelve_places_are_tried(places: int, expected: bool) -> None:
    """With more, an ordinary rounding error looks like one that was asked for."""

    def made(matrix: Any) -> Any:
        return matrix * np.pi, float(np.sum(matrix)) + 1 / 7

    exact = a_variant(made=made, tolerance=Tolerance(0.0, 0.0))
    found = name_of(exact, lambda m: (np.round(made(m)[0], places), made(m)[1]))
    assert (found == "rounded_elsewhere") is expected


@pytest.mark.parametrize(("off", "expected"), [(9e-11, "not_rounded"), (1.5e-10, "")])
def test_what_was_not_rounded_is_otherwise_right(off: float, expected: str) -> None:
    """To ten digits; rounding would not have mended the rest."""

    def program(matrix: Any) -> Value:
        whole = answer_rounded(matrix)
        signs = [1 if x > 1 else -1 for x in whole["out"]]
        return whole | {
            "out": [x * (1 + off * sign) for x, sign in zip(whole["out"], signs, strict=True)]
        }

    assert name_of(a_variant(ROUNDED, answer_rounded), program) == expected


def test_only_where_places_are_asked_for_a_number_is_not_rounded() -> None:
    """A number that is a little off is not told to be rounded where the statement does not say so."""
    exact = a_variant(tolerance=Tolerance(0.0, 0.0))
    off = lambda m: (answer(m)[0] * (1 + 1e-12 * (1 + (m > 1))), answer(m)[1])  # noqa: E731
    assert name_of(exact, off) == ""


def test_floats_for_integers_are_the_right_numbers_of_the_wrong_type() -> None:
    """Whatever else the result holds; and they are no matter of shape."""
    variant = a_variant(Tuple((Leaf("array"), Leaf("integer"))), _with_a_count)
    floats = lambda m: (_with_a_count(m)[0], float(_with_a_count(m)[1]))  # noqa: E731
    assert name_of(variant, floats) == "wrong_type"
    assert name_of(variant, lambda m: (_with_a_count(m)[0], 4.0 + abs(m[0, 0]))) == ""
    strict = a_variant(Tuple((Leaf("array", dtype_kinds="f"), Leaf("integer"))), _with_a_count)
    whole = lambda m: (np.rint(m).astype(int), 4)  # noqa: E731
    assert name_of(strict, lambda m: (np.rint(m), 4)) == ""
    assert name_of(a_variant(strict.returns, lambda m: (np.rint(m), 4)), whole) == "wrong_type"


def _with_a_count(matrix: Any) -> Any:
    return answer(matrix)[0], int(matrix.size)


def test_keys_are_told_from_shapes_however_deep_they_are() -> None:
    """In a dict whose keys are the answer's own, and in a dict inside a tuple."""

    def named(matrix: Any) -> Any:
        return {"weight": answer(matrix)[0], "bias": answer(matrix)[0] + 1}

    def shouted(matrix: Any) -> Any:
        return {key.upper(): value for key, value in named(matrix).items()}

    alone = a_variant(DictOf(Leaf("array")), named)
    assert name_of(alone, shouted) == "wrong_keys"
    assert name_of(alone, lambda m: {"weight": answer(m)[0]}) == ""
    assert name_of(alone, lambda m: {k: v + 1 for k, v in shouted(m).items()}) == ""
    inside = a_variant(Tuple((DictOf(Leaf("array")), Leaf("number"))), lambda m: (named(m), 1.0))
    assert name_of(inside, lambda m: (shouted(m), 1.0)) == "wrong_keys"


ROUNDINGS: dict[str, tuple[str, Callable[[Any], Value]]] = {
    "right": ("", lambda m: rounded_to(m, 3, 3)),
    "not rounded": ("not_rounded", answer_rounded),
    "one not rounded": (
        "not_rounded",
        lambda m: rounded_to(m, 3, 3) | {"size": answer_rounded(m)["size"]},
    ),
    "too few places": ("rounded_elsewhere", lambda m: rounded_to(m, 1, 1)),
    "too many places": ("rounded_elsewhere", lambda m: rounded_to(m, 5, 5)),
    "different places": ("", lambda m: rounded_to(m, 1, 2)),
    "negated and rounded": (
        "negated",
        lambda m: _out(rounded_to(m, 3, 3), lambda v: [-x for x in v]),
    ),
    "reversed and rounded": ("reversed", lambda m: _out(rounded_to(m, 3, 3), lambda v: v[::-1])),
    "three times and rounded": (
        "times_a_constant",
        lambda m: _out(
            rounded_to(m, 3, 3), lambda v: [round(3 * x, 3) for x in answer_rounded(m)["out"]]
        ),
    ),
    "under other keys": (
        "wrong_keys",
        lambda m: {k.title(): v for k, v in rounded_to(m, 3, 3).items()},
    ),
    "swapped": (
        "swapped",
        lambda m: {"out": rounded_to(m, 3, 3)["size"], "size": rounded_to(m, 3, 3)["out"]},
    ),
    "a tuple for a dict": ("wrong_container", lambda m: tuple(rounded_to(m, 3, 3).values())),
    "a key missing": ("", lambda m: {"out": rounded_to(m, 3, 3)["out"]}),
}


@pytest.mark.parametrize("name", ROUNDINGS)
def test_patterns_hold_where_rounding_is_asked_for(name: str) -> None:
    """A wrong program still rounds, and that does not hide what is wrong with it."""
    expected, program = ROUNDINGS[name]
    assert name_of(a_variant(ROUNDED, answer_rounded), program) == expected


NAMED = {name: program for name, (expected, program) in PATTERNS.items() if expected}

# What a program may do on one test that no pattern explains.
UNEXPLAINED: dict[str, Callable[[Any], Fact | Value]] = {
    "other numbers": lambda m: (answer(m)[0] + m[0, 0] * 0.37 + 5, answer(m)[1] - 3),
    "nothing": lambda m: None,
    "one item too many": lambda m: (*answer(m), 0.0),
    "nan": lambda m: (m * np.nan, answer(m)[1]),
    "an exception": lambda m: Raised("ValueError", "", 1),
    "the end": lambda m: Crashed(signal=9),
    "changed inputs and right numbers": lambda m: Returned(answer(m), False),
}


def but_on(
    place: int, program: Callable[[Any], Fact | Value], other: Callable[[Any], Fact | Value]
) -> Callable[[Any], Fact | Value]:
    """A program that does something else on one test."""
    return lambda m: other(m) if np.array_equal(m, INPUTS[place]) else program(m)


def test_where_a_pattern_does_no_harm_it_is_not_contradicted() -> None:
    """The negative of what rounds to zero passes: such a test says nothing against `negated`."""
    variant = a_variant(ROUNDED, answer_rounded)
    tiny = np.array([[1e-4, -2e-5], [1e-5, 1e-4]])
    contents = Contents((tiny,), answer_rounded(tiny))
    variant = replace(variant, tests=(*variant.tests, TestCase("t", (), False, lambda: contents)))
    negated = lambda m: _out(rounded_to(m, 3, 3), lambda v: [-x for x in v])  # noqa: E731
    assert sum(result.passed for result in results(variant, negated)) == 1
    assert name_of(variant, negated) == "negated"


def test_a_failure_without_wrong_numbers_is_explained_by_none_of_them() -> None:
    """Not even where the pattern does no harm: the inputs were changed there."""
    variant = a_variant(preserve_inputs=True)
    zeros = np.zeros((2, 2))
    contents = Contents((zeros,), answer(zeros))
    variant = replace(variant, tests=(*variant.tests, TestCase("t", (), False, lambda: contents)))
    for name in ("negated", "transposed", "three times"):
        _, program = PATTERNS[name]
        for unchanged in (True, False):
            done = lambda m: Returned(program(m), m.any() or unchanged)  # noqa: E731, B023
            assert name_of(variant, done) == (PATTERNS[name][0] if unchanged else "")


def test_an_argument_that_came_back_may_come_in_another_container() -> None:
    """A tuple that was handed over, returned as the list that is asked for; right where it is both."""

    def made(matrix: Any) -> Any:
        return [row * (1.0 if matrix[0, 0] > 9 else 2.0) for row in matrix]

    variant = a_variant(ListOf(Leaf("array")), made)

    def case(matrix: Any) -> TestCase:
        contents = Contents((tuple(matrix),), made(matrix))
        return TestCase(str(matrix[0, 0]), (), False, lambda: contents)

    variant = replace(variant, tests=tuple(map(case, INPUTS)))
    assert sum(result.passed for result in results(variant, list)) == 1
    assert name_of(variant, list) == "returned_unchanged"


def test_texts_and_bools_are_no_numbers_that_could_be_negated_or_zero() -> None:
    """Where one of them is wrong as well, no pattern of numbers explains it."""

    def made(matrix: Any) -> Any:
        return matrix * 2.1, "done", True

    variant = a_variant(Tuple((Leaf("array"), Leaf("string"), Leaf("boolean"))), made)
    for array, text, flag, expected in (
        (-2.1, "done", True, "negated"),
        (-2.1, "other", True, ""),
        (-2.1, "done", False, ""),
        (0.0, "done", True, "all_zeros"),
        (0.0, "done", False, ""),
        (0.0, "", True, ""),
    ):
        assert name_of(variant, _returning(array, text, flag)) == expected, (array, text, flag)


def _returning(factor: float, text: str, flag: bool) -> Callable[[Any], Value]:
    return lambda matrix: (matrix * factor, text, flag)


def test_a_predicted_number_may_be_too_large() -> None:
    """Three times the largest number is an infinity, for the program as for the pattern."""
    variant = a_variant()
    huge = np.array([[1.1e308, -0.5e308], [1e307, 2.0]])
    with np.errstate(all="ignore"):
        contents = Contents((huge / 2.1,), (huge, 5.0))
    variant = replace(variant, tests=(*variant.tests, TestCase("h", (), False, lambda: contents)))

    def tripled(matrix: Any) -> Value:
        with np.errstate(all="ignore"):
            right = (huge, 5.0) if np.array_equal(matrix, huge / 2.1) else answer(matrix)
            return right[0] * 3, right[1]

    assert name_of(variant, tripled) == "times_a_constant"


@pytest.mark.parametrize("place", [0, 4])
@pytest.mark.parametrize("unexplained", UNEXPLAINED)
def test_a_pattern_must_hold_on_every_failed_test(unexplained: str, place: int) -> None:
    """One failure that it does not explain, of whatever kind, and nothing is said."""
    variant = a_variant(preserve_inputs=True)
    for name, program in NAMED.items():
        assert name_of(variant, but_on(place, program, UNEXPLAINED[unexplained])) == "", name


@pytest.mark.parametrize("end", [Raised("ValueError", "", 1), Crashed(signal=9), Exceeded("cpu")])
def test_what_ends_early_has_no_pattern(end: Fact) -> None:
    """On every test, or on one beside right numbers that failed because the inputs were changed."""
    variant = a_variant(preserve_inputs=True)
    changed = lambda m: Returned(answer(m), False)  # noqa: E731
    assert name_of(variant, lambda m: end) == ""
    assert name_of(variant, but_on(0, changed, lambda m: end)) == ""
    assert name_of(variant, but_on(4, lambda m: end, changed)) == ""


# These predict no value, so they cannot have predicted a failure.
WITHOUT_PREDICTION = ("wrong_container", "reshaped", "permuted", "single_precision")
# Held against a test that passed, they are still the right numbers in another order.
AT_LEAST_PERMUTED = ("transposed", "reversed")


@pytest.mark.parametrize("place", [0, 4])
@pytest.mark.parametrize("name", NAMED)
def test_a_pattern_must_not_predict_a_failure_where_the_program_was_right(
    name: str, place: int
) -> None:
    """Negated on some tests only is not `negated`."""
    expected, program = PATTERNS[name]
    if expected not in WITHOUT_PREDICTION:
        expected = "permuted" if expected in AT_LEAST_PERMUTED else ""
    assert name_of(a_variant(), but_on(place, program, answer)) == expected


@pytest.mark.parametrize("name", NAMED)
def test_a_failure_that_was_not_kept_speaks_for_nothing_and_against_nothing(name: str) -> None:
    """Whichever test it is."""
    expected, program = PATTERNS[name]
    variant = a_variant()
    for place in (0, 4):
        kept = results(variant, program)
        kept[place] = replace(kept[place], fact=None)
        found = diagnose(variant, kept, compare)
        assert found is not None
        assert found.name == expected


@pytest.mark.parametrize("name", NAMED)
def test_what_is_kept_of_a_test_that_passed_is_no_failure(name: str) -> None:
    """It neither hides a pattern of the others nor has one by itself."""
    expected, program = PATTERNS[name]
    variant = a_variant(preserve_inputs=True)

    def kept(program: Callable[[Any], Fact | Value]) -> list[Result]:
        return [
            replace(one, fact=Returned(one.test.contents().answer, True)) if one.passed else one
            for one in results(variant, program)
        ]

    assert diagnose(variant, kept(answer), compare) is None
    if expected in WITHOUT_PREDICTION:
        found = diagnose(variant, kept(but_on(0, program, answer)), compare)
        assert found is not None
        assert found.name == expected


def test_one_failure_is_enough_for_most_patterns() -> None:
    """The others passed, and the pattern would have done no harm there."""
    for name in ("a list for a tuple", "flat", "sorted"):
        expected, program = PATTERNS[name]
        assert name_of(a_variant(), but_on(4, answer, program)) == expected


def test_the_first_failure_says_what_the_container_should_have_been() -> None:
    """The smallest one, where they differ."""

    def program(matrix: Any) -> Value:
        array, number = answer(matrix)
        return [array, number] if matrix[0, 0] == 1.5 else (array.tolist(), number)

    variant = a_variant()
    found = diagnose(variant, results(variant, program), compare)
    assert found is not None
    assert "what holds them: a list was returned, a tuple is asked for. " in found.explanation


def test_swapped_is_allowed_to_make_no_difference() -> None:
    """A test whose parts are alike passes; one that another order would fail speaks against it."""

    def made(matrix: Any) -> Any:
        return float(matrix[0, 0]), float(matrix[0, 0] if matrix[0, 0] > 9 else matrix[1, 1])

    variant = a_variant(Tuple((Leaf("number"), Leaf("number"))), made)
    assert name_of(variant, lambda m: made(m)[::-1]) == "swapped"
    assert name_of(variant, lambda m: made(m)[:: 1 if m[0, 0] < 0 else -1]) == ""


@pytest.mark.parametrize(("parts", "expected"), [(2, "swapped"), (4, "swapped"), (5, "")])
def test_up_to_four_parts_are_put_in_every_order(parts: int, expected: str) -> None:
    """More have too many orders to try them all."""

    def made(matrix: Any) -> Any:
        return tuple(float(matrix[0, 0]) + 10 * number for number in range(parts))

    variant = a_variant(Tuple((Leaf("number"),) * parts), made)
    assert name_of(variant, lambda m: (*made(m)[1:], made(m)[0])) == expected


def test_values_under_other_keys_may_be_in_other_containers() -> None:
    """And swapped values under the right keys are swapped, in whatever order the dict has them."""

    def made(matrix: Any) -> Any:
        return {"out": matrix * 2.1, "size": float(np.sum(matrix)) + 1 / 7}

    variant = a_variant(Dict((("out", Leaf("array")), ("size", Leaf("number")))), made)
    listed = lambda m: {"Out": made(m)["out"].tolist(), "Size": made(m)["size"]}  # noqa: E731
    assert name_of(variant, listed) == "wrong_keys"
    backwards = lambda m: {"size": made(m)["out"], "out": made(m)["size"]}  # noqa: E731
    assert name_of(variant, backwards) == "swapped"


@pytest.mark.parametrize(
    ("rtol", "off", "expected"),
    [(0.0, 0.9e-9, "negated"), (0.0, 1.5e-9, ""), (1e-6, 5e-7, "negated"), (1e-6, 5e-6, "")],
)
def test_a_wrong_program_need_not_be_as_exact_as_an_accepted_one(
    rtol: float, off: float, expected: str
) -> None:
    """A billionth is enough, or the variant's tolerance where that is wider."""
    variant = a_variant(tolerance=Tolerance(rtol, 0.0))

    def program(matrix: Any) -> Value:
        signs = np.where(matrix > 1, 1, -1)
        return -answer(matrix)[0] * (1 + off * signs), answer(matrix)[1]

    assert name_of(variant, program) == expected


def test_a_constant_needs_three_tests() -> None:
    """Any single wrong number is some constant times the right one."""
    variant = a_variant()
    two = replace(variant, tests=variant.tests[:2])
    three = replace(variant, tests=variant.tests[:3])
    assert name_of(two, lambda m: (answer(m)[0] * 3, answer(m)[1])) == ""
    assert name_of(three, lambda m: (answer(m)[0] * 3, answer(m)[1])) == "times_a_constant"


def test_numbers_stand_in_an_explanation_only_if_a_sample_failed() -> None:
    """A number that depends on secret tests alone might have been put there to be read."""
    for sample, title in (
        (True, "Off by a constant factor (3)"),
        (False, "Off by a constant factor"),
    ):
        variant = a_variant(sample=sample)
        found = diagnose(
            variant, results(variant, lambda m: (answer(m)[0] * 3, answer(m)[1])), compare
        )
        assert found is not None
        assert found.title == title
    variant = a_variant()
    first, *others = variant.tests
    shown = replace(variant, tests=(replace(first, sample=True), *others))
    found = diagnose(shown, results(shown, lambda m: (answer(m)[0] * 3, answer(m)[1])), compare)
    assert found is not None
    assert found.title == "Off by a constant factor (3)"
    rounding = lambda m: (np.round(answer(m)[0], 2), answer(m)[1])  # noqa: E731
    found = diagnose(variant, results(variant, rounding), compare)
    assert found is not None
    assert not any(letter.isdigit() for letter in found.title + found.explanation)
    found = diagnose(shown, results(shown, rounding), compare)
    assert found is not None
    assert found.title == "The result was rounded to 2 places, which is not what is asked for"


def test_changed_inputs_are_an_explanation_where_the_numbers_are_right() -> None:
    """And only there."""
    variant = a_variant(preserve_inputs=True)
    assert name_of(variant, lambda m: Returned(answer(m), False)) == "inputs_changed"
    assert name_of(variant, lambda m: Returned((-answer(m)[0], answer(m)[1]), False)) == "negated"


def test_integers_that_were_cut_off_only_where_the_input_is_whole() -> None:
    """An array of integers was filled with fractions: other tests pass."""
    variant = a_variant()
    whole = np.array([[1, 2], [3, 5]])
    contents = Contents((whole,), answer(whole))
    variant = replace(variant, tests=(*variant.tests, TestCase("w", (), False, lambda: contents)))
    assert name_of(variant, lambda m: (answer(m)[0].astype(m.dtype), answer(m)[1])) == "truncated"
    assert name_of(variant, lambda m: (answer(m)[0] + (m.dtype == int), answer(m)[1])) == ""
