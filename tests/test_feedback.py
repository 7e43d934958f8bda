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


def _message(source: str, fact: Fact, secret: bool, cpu_s: float = 0.0) -> str:
    outcome, variant = Outcome(fact, cpu_s, 0, 0), a_variant()
    if secret:
        return feedback.cut(source, variant, HINTED, outcome, None, True).message
    contents = HINTED.contents()
    return feedback.in_full(source, variant, HINTED, contents, outcome, None, True).message


@pytest.mark.parametrize(
    ("source", "line", "told"),
    [
        ("```python\ndef double(x):\n    return 2 * x\n```", 1, "the page it was copied from"),
        (">>> def double(x):", 1, "the prompt of a Python shell"),
        ("In [3]: x", 1, "the prompt of a Python shell"),
        ('def double(x):\n    """\n    >>> double(1)\n    """\n    return (', 5, ""),
        ("def double(x:", 9, ""),
    ],
)
@pytest.mark.parametrize("secret", [False, True])
def test_what_was_copied_along_is_named_where_it_fails(
    source: str, line: int, told: str, secret: bool
) -> None:
    """A doctest in a program that fails elsewhere is nobody's fault."""
    message = _message(source, NotCompiled("syntax", "invalid syntax", line, 1), secret)
    assert ("copied" in message or "prompt" in message) == bool(told)
    assert told in message


@pytest.mark.parametrize("secret", [False, True])
def test_a_function_inside_a_class_is_told_where_it_should_stand(secret: bool) -> None:
    """Other sites want it there."""
    source = "class Solution:\n    def double(self, x):\n        return 2 * x\n"
    missing = NotCompiled("no_entry_point", "", defined=())
    assert "it stands in class Solution" in _message(source, missing, secret)
    assert "stands in" not in _message("def doubled(x): return 2 * x", missing, secret)


@pytest.mark.parametrize(("cpu_s", "told"), [(0.1, "sleeping"), (1.9, "so was the machine")])
def test_a_busy_program_is_not_told_that_it_slept(cpu_s: float, told: str) -> None:
    """On a machine with more to do than processors the wall clock may run out first."""
    assert told in _message("", Exceeded("wall"), False, cpu_s)
