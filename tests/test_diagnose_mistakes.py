"""The mistakes that a family describes: when one of them, or several, explain a submission."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from app.compare import compare
from app.contract import Leaf, ListOf
from app.diagnose import Result, diagnose
from app.model import (
    Crashed,
    Exceeded,
    Fact,
    Mistake,
    Raised,
    Returned,
    TestCase,
    Value,
    Variant,
)
from tests.test_diagnose import (
    INPUTS,
    ROUNDED,
    a_variant,
    answer,
    answer_rounded,
    but_on,
    name_of,
    results,
    rounded_to,
)

TRIPLED = Mistake("tripled", "Tripled", "Three is one too many.", "")
RAISING = Mistake("raising", "Raises on nine", "Why nine?", "")


def with_mistakes(predictions: dict[str, Callable[[Any], Fact | None]], **more: Any) -> Variant:
    def predict(mistake: Mistake, test: TestCase) -> Fact | None:
        return predictions[mistake.name](test.contents().arguments[0])

    mistakes = tuple(replace(TRIPLED, name=name) for name in predictions)
    return a_variant(mistakes=mistakes, predict=predict, **more)


def tripled(matrix: Any) -> Any:
    return answer(matrix)[0] * 1.5, answer(matrix)[1] + 1


def test_a_mistake_goes_before_a_pattern_and_the_first_mistake_before_the_next() -> None:
    """Authors know more about their problem than any general rule."""

    def negated(matrix: Any) -> Fact:
        return Returned((-answer(matrix)[0], answer(matrix)[1]), True)

    variant = with_mistakes({"first": negated, "second": negated})
    assert name_of(variant, lambda m: (-answer(m)[0], answer(m)[1])) == "first"


def test_only_wrong_outputs_have_to_equal_the_mistakes() -> None:
    """The mistake may do more harm than the submission, on the same test."""
    variant = with_mistakes({"tripled": lambda m: Returned(tripled(m), True)})
    assert name_of(variant, tripled) == "tripled"
    assert name_of(variant, lambda m: (tripled(m)[0], answer(m)[1])) == "tripled"
    assert name_of(variant, lambda m: (tripled(m)[0], answer(m)[1] + 2)) == ""


def test_a_mistake_that_fails_where_the_submission_passed_explains_nothing() -> None:
    """It would have failed there, too."""
    variant = with_mistakes({"tripled": lambda m: Returned(tripled(m), True)})
    assert name_of(variant, lambda m: tripled(m) if m[0, 0] > 9 else answer(m)) == ""


@pytest.mark.parametrize(
    ("does", "predicted", "same"),
    [
        (Raised("ValueError", "a", 1), Raised("ValueError", "b", 2), True),
        (Raised("ValueError", "", 1), Raised("Exception", "", 1), True),
        (Raised("IndexError", "", 1), Raised("LookupError", "", 1), True),
        (Raised("LookupError", "", 1), Raised("IndexError", "", 1), False),
        (Raised("ValueError", "", 1), Raised("TypeError", "", 1), False),
        (Raised("Own", "", 1), Raised("Other", "", 1), False),
        (Raised("Own", "", 1), Raised("Own", "", 1), True),
        (Raised("Own", "", 1), Raised("Exception", "", 1), True),
        (Raised("len", "", 1), Raised("ValueError", "", 1), False),
        (Raised("ValueError", "", 1), Raised("len", "", 1), False),
        (Raised("ValueError", "", 1), Crashed(signal=11), False),
        (Crashed(signal=11), Crashed(exit_code=1), True),
        (Crashed(signal=11), Raised("ValueError", "", 1), False),
        (Crashed(signal=11), None, False),
        (Exceeded("cpu"), Exceeded("cpu"), True),
        (Exceeded("cpu"), Exceeded("memory"), False),
        (Raised("ValueError", "", 1), None, False),
        (Returned((np.zeros(2), 1.0), True), Raised("ValueError", "", 1), False),
    ],
)
def test_failing_in_the_same_way_is_the_same_outcome(
    does: Fact, predicted: Fact | None, same: bool
) -> None:
    """An exception of the mistake's type or one derived from it; `Exception` stands for any."""

    def right_but(matrix: Any, fact: Fact | None) -> Fact | None:
        return fact if matrix[0, 0] > 9 else Returned(answer(matrix), True)

    variant = with_mistakes({"raising": lambda m: right_but(m, predicted)})
    assert (name_of(variant, lambda m: right_but(m, does)) == "raising") is same


def test_a_mistake_that_changes_its_inputs_explains_only_a_program_that_does() -> None:
    """With right numbers the flag is the outcome."""
    changing = {"changes": lambda m: Returned(answer(m), m[0, 0] < 9)}
    variant = with_mistakes(changing, preserve_inputs=True)  # type: ignore[arg-type]
    assert name_of(variant, lambda m: Returned(answer(m), m[0, 0] < 9)) == "changes"
    assert name_of(variant, lambda m: Returned(answer(m), m[0, 0] < 1)) == "inputs_changed"
    listed = lambda m: list(answer(m)) if m[0, 0] > 9 else answer(m)  # noqa: E731
    assert name_of(variant, listed) == "wrong_container"


def test_a_mistake_is_taken_to_round_where_rounding_is_asked_for() -> None:
    """Its prediction is unrounded; a learner who makes it rounds as the statement says."""

    def predict(mistake: Mistake, test: TestCase) -> Fact:
        whole = answer_rounded(test.contents().arguments[0])
        return Returned(whole | {"size": whole["size"] + (whole["size"] > 9)}, True)

    variant = a_variant(ROUNDED, answer_rounded, mistakes=(TRIPLED,), predict=predict)

    def program(matrix: Any) -> Value:
        whole: Any = rounded_to(matrix, 3, 3)
        return whole | {"size": round(whole["size"] + (whole["size"] > 9), 3)}

    assert name_of(variant, program) == "tripled"


# Whole numbers of the first entry: the tests on which a reading differs from the right answer.
def _reading(*wrong_on: int, by: float = 1.0) -> Callable[[Any], Fact]:
    def predicted(matrix: Any) -> Fact:
        array, number = answer(matrix)
        wrong = any(np.array_equal(matrix, INPUTS[place]) for place in wrong_on)
        return Returned((array + by, number) if wrong else (array, number), True)

    return predicted


def _with_readings(readings: dict[str, tuple[str, Callable[[Any], Fact]]]) -> Variant:
    def predict(mistake: Mistake, test: TestCase) -> Fact:
        return readings[mistake.name][1](test.contents().arguments[0])

    made = tuple(Mistake(name, title, f"{name}!", "") for name, (title, _) in readings.items())
    return a_variant(mistakes=made, predict=predict)


def _value(reading: Callable[[Any], Fact]) -> Callable[[Any], Value]:
    return lambda matrix: getattr(reading(matrix), "value", None)


def test_readings_of_one_title_explain_together_what_none_does_alone() -> None:
    """On every test one of them agrees; the words are those of the one that agrees first."""
    first, second, third = _reading(0, 1), _reading(1, 2, by=2.0), _reading(3)
    readings = {
        "one": ("Same", first),
        "two": ("Same", second),
        "other": ("Another", _reading(4)),
        "three": ("Same", third),
    }
    variant = _with_readings(readings)

    def mixture(matrix: Any) -> Value:
        by = [0.0, 2.0, 2.0, 1.0, 0.0]
        place = next(i for i, one in enumerate(INPUTS) if np.array_equal(one, matrix))
        return answer(matrix)[0] + by[place], answer(matrix)[1]

    found = diagnose(variant, results(variant, mixture), compare)
    assert found is not None
    assert (found.name, found.title, found.explanation) == ("two", "Same", "two!")
    # With a failure that only the mistake of another title explains, it is neither's.
    both = but_on(4, mixture, _value(_reading(4)))
    assert name_of(variant, both) == ""
    assert name_of(variant, _value(_reading(4))) == "other"


def test_one_mistake_alone_goes_before_readings_together() -> None:
    """Its words fit all failures."""
    readings = {
        "one": ("Same", _reading(0)),
        "two": ("Same", _reading(1)),
        "whole": ("Whole", _reading(0, 1)),
    }
    assert name_of(_with_readings(readings), _value(_reading(0, 1))) == "whole"


def test_readings_must_not_all_fail_where_the_program_was_right() -> None:
    """One of them must do no harm there."""
    readings = {"one": ("Same", _reading(0, 4)), "two": ("Same", _reading(1, 4))}
    assert name_of(_with_readings(readings), _value(_reading(0, 1))) == ""
    assert name_of(_with_readings(readings), _value(_reading(0, 1, 4))) == "one"


@pytest.mark.parametrize(
    "predicted",
    [Raised("ValueError", "", 1), Crashed(signal=9), Exceeded("cpu"), None],
)
def test_a_mistake_that_ends_where_the_submission_passed_explains_nothing(
    predicted: Fact | None,
) -> None:
    """Nor does one whose result there is not known."""
    wrong = _reading(0)
    for preserve in (False, True):
        variant = with_mistakes(
            {"m": lambda m: wrong(m) if np.array_equal(m, INPUTS[0]) else predicted},
            preserve_inputs=preserve,
        )
        assert name_of(variant, _value(wrong)) == ""


def test_a_mistake_that_changes_inputs_where_the_submission_did_not_explains_nothing() -> None:
    """Where inputs must be preserved; elsewhere that is no failure."""
    wrong = _reading(0)
    for preserve, expected in ((True, ""), (False, "m")):
        variant = with_mistakes(
            {"m": lambda m: Returned(_value(wrong)(m), np.array_equal(m, INPUTS[0]))},
            preserve_inputs=preserve,
        )
        assert name_of(variant, _value(wrong)) == expected


def test_integers_of_any_size_break_no_pattern() -> None:
    """Those that a float64 holds have patterns; longer ones have none, and raise nothing."""

    def long(size: int, sign: int = 1, off: int = 0) -> Callable[[Any], Any]:
        return lambda m: [sign * (size + int(m[0, 0] * 100)) + off, sign * (size - 7), sign * 3]

    for size, expected in ((1, "negated"), (2**70, ""), (10**400, "")):
        variant = a_variant(ListOf(Leaf("integer")), long(size))
        assert name_of(variant, long(size, sign=-1)) == expected
        assert name_of(variant, long(size, off=5)) == ""


def test_a_mistake_whose_result_no_contract_allows_explains_nothing() -> None:
    """And is no fault: predictions may be anything."""
    for odd in (None, "text", (None, None), ("a", 1.0), ([[1.0], [1.0, 2.0]], 1.0), {"a": 1}):
        variant = with_mistakes({"odd": lambda m, odd=odd: Returned(odd, True)})  # type: ignore[misc]
        assert name_of(variant, tripled) == ""


def test_a_mistake_that_returns_a_part_alone_is_not_one_that_returns_all() -> None:
    """Whichever part is wrong; and the other way round."""
    first = with_mistakes({"part": lambda m: Returned(tripled(m)[0], True)})
    assert name_of(first, lambda m: (tripled(m)[0], answer(m)[1])) != "part"
    assert name_of(first, tripled) != "part"
    both = with_mistakes({"both": lambda m: Returned(tripled(m), True)})
    assert name_of(both, lambda m: tripled(m)[0]) != "both"


def test_what_was_too_large_to_keep_is_no_evidence() -> None:
    """Nothing is said if nothing else failed; else the rest decides."""
    variant = a_variant()
    all_lost = [Result(test, False, None) for test in variant.tests]
    assert diagnose(variant, all_lost, compare) is None
    negated = results(variant, lambda m: (-answer(m)[0], answer(m)[1]))
    some_lost = [replace(negated[0], fact=None), *negated[1:]]
    found = diagnose(variant, some_lost, compare)
    assert found is not None
    assert found.name == "negated"

    def unknown_where_lost(mistake: Mistake, test: TestCase) -> Fact | None:
        return None if test.name == "t0" else Returned(tripled(test.contents().arguments[0]), True)

    variant = replace(variant, mistakes=(TRIPLED,), predict=unknown_where_lost)
    wrong = results(variant, tripled)
    found = diagnose(variant, [replace(wrong[0], fact=None), *wrong[1:]], compare)
    assert found is not None
    assert found.name == "tripled"
