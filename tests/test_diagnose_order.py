"""What the diagnosis asks for, and in which order: the cheap questions first."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from app.compare import compare
from app.contract import Contract, Dict, Leaf, ListOf, Tuple
from app.diagnose import Result, diagnose
from app.model import (
    Contents,
    Fact,
    Mistake,
    Returned,
    TestCase,
    Value,
)
from tests.test_diagnose import a_variant
from tests.test_diagnose_mistakes import TRIPLED

# Answers of about 6, 2, 9 and 4 numbers in every form that holds several.
SIZED: dict[str, tuple[Contract, Callable[[int], Value]]] = {
    "arrays": (Leaf("array"), lambda n: np.arange(1.0, n + 1)),
    "lists of floats": (ListOf(Leaf("number")), lambda n: [1.5] * n),
    "lists of whole numbers": (ListOf(Leaf("integer")), lambda n: [3] * n),
    "lists of arrays": (ListOf(Leaf("array")), lambda n: [np.ones(n // 2), np.ones(n - n // 2)]),
    "one long array": (Tuple((Leaf("array"), Leaf("number"))), lambda n: (np.ones(n), 2.0)),
    "tables": (Leaf("array"), lambda n: np.ones((2, n))),
    "lists of lists": (Leaf("nested_list"), lambda n: [[1.5] * n, [2.5] * n]),
    "dicts": (
        Dict((("a", Leaf("array")), ("b", Leaf("number")))),
        lambda n: {"a": np.ones(n), "b": 1.0},
    ),
    "dicts of two arrays": (
        Dict((("a", Leaf("array")), ("b", Leaf("array")))),
        lambda n: {
            "a": np.ones(n if n == 4 else n // 2),
            "b": np.ones(0 if n == 4 else n - n // 2),
        },
    ),
}


def _asking(
    form: str, explains: bool, passed: frozenset[str] = frozenset()
) -> tuple[list[str], str]:
    """For which tests the mistake's result was asked for, in order; and what was found."""
    contract, made = SIZED[form]
    asked: list[str] = []

    def case(size: int) -> TestCase:
        contents = Contents((), made(size))
        return TestCase(f"of {size}", (), False, lambda: contents)

    def predict(mistake: Mistake, test: TestCase) -> Fact:
        asked.append(test.name)
        right = test.contents().answer
        wrong = test.name not in passed
        return Returned(_another(right) if wrong and explains else right, True)

    def _another(value: Value) -> Value:
        match value:
            case dict():
                return {key: _another(item) for key, item in value.items()}
            case list() | tuple():
                return type(value)(_another(item) for item in value)
            case _:
                return value * 7 + 1  # type: ignore[operator]

    variant = a_variant(
        contract,
        tests=tuple(map(case, (6, 2, 9, 4))),
        mistakes=(TRIPLED,),
        predict=predict,
        arguments=(),
    )
    made_results = [
        Result(test, test.name in passed, Returned(_another(test.contents().answer), True))
        for test in variant.tests
    ]
    found = diagnose(variant, made_results, compare)
    return asked, found.name if found else ""


@pytest.mark.parametrize("form", SIZED)
def test_a_mistake_is_ruled_out_where_that_costs_the_least(form: str) -> None:
    """At the smallest test that failed, and no other is asked for; a mistake may be slow."""
    asked, found = _asking(form, explains=False)
    assert asked == ["of 2"]
    assert found != "tripled"
    asked, _ = _asking(form, explains=False, passed=frozenset({"of 2", "of 6"}))
    assert asked == ["of 4"]


@pytest.mark.parametrize("form", SIZED)
def test_failures_are_explained_before_what_passed_is_looked_at(form: str) -> None:
    """Small ones first in both; and what is kept of a test that passed is no failure."""
    asked, found = _asking(form, explains=True, passed=frozenset({"of 2", "of 9"}))
    assert asked[:4] == ["of 4", "of 6", "of 2", "of 9"]
    assert found == "tripled"
