"""When an author's hint helps, and when it would mislead."""

from __future__ import annotations

import pytest

from app import feedback
from app.model import (
    Contents,
    Crashed,
    Exceeded,
    Fact,
    Mismatch,
    NotCompiled,
    Outcome,
    Raised,
    Returned,
    TestCase,
)
from tests.test_judge import a_variant

HINTED = TestCase("t", ("label",), False, lambda: Contents(([1.0],), 1.0), hint="Mind the zero.")


def _mismatch(kind: str) -> Mismatch:
    return Mismatch(kind, "", "wrong", "wrong")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fact", "mismatch", "hinted"),
    [
        (Returned(2.0, True), _mismatch("value"), True),
        (Returned(2.0, True), _mismatch("rounding"), True),
        (Returned(2.0, True), _mismatch("non_finite"), True),
        (Returned([2.0], True), _mismatch("form"), False),
        (Returned([2.0], True), _mismatch("structure"), False),
        (Returned("2", True), _mismatch("type"), False),
        (Returned(2.0, False), _mismatch("inputs"), False),
        (Raised("NameError", "name", 1), None, False),
        (NotCompiled("syntax", "invalid syntax", 1), None, False),
        (Exceeded("cpu"), None, False),
        (Crashed(9), None, False),
    ],
)
def test_a_hint_is_given_where_numbers_are_wrong(
    fact: Fact, mismatch: Mismatch | None, hinted: bool
) -> None:
    """A hint about numbers beside a typing error sends a learner the wrong way."""
    shown = feedback.cut(
        "def f(x): ...", a_variant(), HINTED, Outcome(fact, 0, 0, 0), mismatch, True
    )
    assert (shown.hint == "Mind the zero.") is hinted


def test_what_passed_needs_no_hint() -> None:
    """None is given."""
    outcome = Outcome(Returned(1.0, True), 0, 0, 0)
    assert feedback.cut("def f(x): ...", a_variant(), HINTED, outcome, None, False).hint == ""
