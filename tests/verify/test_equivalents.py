"""Which surviving changes are excused, and which are not."""

from __future__ import annotations

import pytest

from app.problem.family import Equivalent
from app.verify.equivalents import reason_for
from app.verify.operators import Mutant, mutants


def mutant(body: str, before: str, after: str) -> Mutant:
    for found in mutants(f"def f(a, b):\n    {body}\n"):
        if (found.before, found.after) == (before, after):
            return found
    raise AssertionError(f"no mutant {before} -> {after}")


@pytest.mark.parametrize(
    ("body", "before", "after"),
    [
        ("return float(a)", "float(a)", "a"),
        ("return np.float64(a)", "np.float64(a)", "a"),
        ("return list(a)", "list(a)", "a"),
        ("return np.asarray(a, dtype=float)", "np.asarray(a, dtype=float)", "np.asarray(a)"),
        ("return np.asarray(a, float)", "np.asarray(a, float)", "np.asarray(a)"),
        ("return a.tolist()", "a.tolist()", "a"),
        ("return max(a, b)", "max(a, b)", "max(b, a)"),
        ("return np.multiply(a, b)", "np.multiply(a, b)", "np.multiply(b, a)"),
        ("return sum(reversed(a))", "reversed(a)", "a"),
        ("return sum(a[::-1])", "a[::-1]", "a"),
        ("return sum(a[::-1])", "::-1", ":"),
        ("return sum(a[::-1])", "-1", "1"),
        ("return a.copy()", "a.copy()", "a"),
        ("raise ValueError('no')", "'no'", "'no_'"),
    ],
)
def test_general_patterns_have_a_reason(body: str, before: str, after: str) -> None:
    """What changes nothing that any contract asks for."""
    assert reason_for(mutant(body, before, after), "v", ())


@pytest.mark.parametrize(
    ("body", "before", "after"),
    [
        ("return a > b", "a > b", "a >= b"),
        ("return np.sqrt(a)", "np.sqrt(a)", "a"),
        ("return abs(a)", "abs(a)", "a"),
        ("return np.divide(a, b)", "np.divide(a, b)", "np.divide(b, a)"),
        ("return pow(a, b)", "pow(a, b)", "pow(b, a)"),
        ("return np.sum(a, axis=0)", "np.sum(a, axis=0)", "np.sum(a)"),
        ("return round(a, 7)", "round(a, 7)", "round(a)"),
        ("return -1 * a", "-1", "1"),
        ("return a[1:]", "1:", ":"),
        ("return int(a)", "int(a)", "a"),
    ],
)
def test_what_could_matter_is_never_excused(body: str, before: str, after: str) -> None:
    """No general pattern covers it: a test must kill it, or the author must say why not."""
    assert reason_for(mutant(body, before, after), "v", ()) == ""


@pytest.mark.parametrize(
    ("declared", "excused"),
    [
        (Equivalent("* > b", "* >= b", "equal is equal"), True),
        (Equivalent("a > b", "*", "r"), True),
        (Equivalent("a > b", "*", "r", operator="comparison"), True),
        (Equivalent("a > b", "*", "r", only_in=("v", "w")), True),
        (Equivalent("* > b", "* < b", "r"), False),
        (Equivalent("* > limit", "*", "r"), False),
        (Equivalent("a > b", "*", "r", operator="constant"), False),
        (Equivalent("a > b", "*", "r", only_in=("w",)), False),
        (Equivalent("[a] > b", "*", "r"), False),
        (Equivalent("a ? b", "*", "r"), False),
    ],
)
def test_an_author_declares_by_pattern_operator_and_variant(
    declared: Equivalent, excused: bool
) -> None:
    """`*` stands for anything, every other character for itself."""
    found = mutant("return a > b", "a > b", "a >= b")
    assert reason_for(found, "v", (declared,)) == (declared.reason if excused else "")
