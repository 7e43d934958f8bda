"""What is known of a package's Python files without running them."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.errors import PackageError
from app.problem import programs

HERE = Path("p/core.py")


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def core(a, b): pass", ""),
        ("import x\n\ndef helper(): pass\n\ndef core(a, b):\n    return helper()", ""),
        ("def core(a, b=1): pass", ""),
        ("def core(b, a): pass", "core takes (b, a), not (a, b)"),
        ("def core(a): pass", "core takes (a), not (a, b)"),
        ("def core(a, b, *rest): pass", "not (a, b)"),
        ("def core(a, *, b): pass", "not (a, b)"),
        ("def core(a, b, **rest): pass", "not (a, b)"),
        ("core = lambda a, b: 0", "does not define core"),
        ("def other(a, b): pass", "does not define core"),
        ("def core(a, b)", "is not Python"),
        ("x = '\\N{nope}'", "is not Python"),
        ("(" * 500 + ")" * 500, "is not Python"),
        ("x = 1\0", "is not Python"),
    ],
)
def test_a_function_has_exactly_the_parameters_asked_for(source: str, words: str) -> None:
    """They are handed over by position: a swapped pair would go unseen."""
    if not words:
        programs.check_function(source, HERE, "core", ("a", "b"))
        return
    with pytest.raises(PackageError) as caught:
        programs.check_function(source, HERE, "core", ("a", "b"))
    assert words in str(caught.value)


def test_a_mistake_tells_its_title_and_where_it_does_not_apply() -> None:
    """Literals only: nothing of the file is executed."""
    found = programs.mistake(
        "m",
        '"""Signs lost.\n\n    All of\n    them.\n"""\nNOT_IN = ("a", "b")\nTITLE_IN = {"c": "Other"}\n',
        HERE,
    )
    assert (found.title, found.explanation) == ("Signs lost", "All of\nthem.")
    assert found.not_in == ("a", "b")
    assert (found.title_in, found.explanation_in) == ({"c": "Other"}, {})


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("x = 1", "needs a docstring"),
        ('"""Only a title."""', "needs a docstring"),
        ('"""A.\n\nB."""\nNOT_IN = ["a"]', "NOT_IN must be a tuple of strings"),
        ('"""A.\n\nB."""\nNOT_IN = ("a", 1)', "NOT_IN must be a tuple of strings"),
        ('"""A.\n\nB."""\nNOT_IN = tuple(["a"])', "NOT_IN must be a tuple of strings"),
        ('"""A.\n\nB."""\nTITLE_IN = ("a",)', "TITLE_IN must be a dict of strings"),
        ('"""A.\n\nB."""\nTITLE_IN = {"a": 1}', "TITLE_IN must be a dict of strings"),
    ],
)
def test_a_mistake_without_words_for_learners_is_refused(source: str, words: str) -> None:
    """A title alone does not teach."""
    with pytest.raises(PackageError, match=words):
        programs.mistake("m", source, HERE)
