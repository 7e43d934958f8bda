"""The list of mutants that may survive is well-formed and current; the whole run is a command."""

from __future__ import annotations

import ast
import warnings
from types import ModuleType

import pytest

from app.verify.operators import mutants
from tests.grading.mutation import Survivor, files, matches, reasons
from tests.grading.swapping import CannotSwap, closures, constant, statement, swap


def test_every_survivor_has_a_reason_and_is_still_a_mutant() -> None:
    """A line whose statement is gone explains nothing any more."""
    known = reasons()
    assert all(len(reason) > 20 for reason in known.values()), known
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        current = [
            Survivor.of(path, mutant).key
            for path in files(())
            for mutant in mutants(path.read_text())
        ]
    stale = {pattern for pattern in known if not any(matches(pattern, key) for key in current)}
    assert stale == set()


def test_a_mutant_is_tried_by_the_tests_that_reach_its_statement() -> None:
    """The lines of the innermost statement, without the block below it; constants by their users."""
    tree = ast.parse(
        "LIMIT = 3\n\n\ndef f(a):\n    if (\n        a > LIMIT\n    ):\n        a += 1\n    return a\n"
    )
    assert constant(tree, 1) == "LIMIT"
    assert statement(tree, 1) is None
    assert statement(tree, 6) == range(5, 8)
    assert statement(tree, 8) == range(8, 9)
    assert constant(tree, 9) is None


def test_a_function_that_another_has_made_changes_with_it() -> None:
    """Whatever holds it, such as a table of a module that is not loaded again."""
    source = "def made(by):\n    def times(number):\n        return number * by\n    return times\n"
    module = ModuleType("made")
    module.__file__ = "made.py"
    exec(compile(source, "made.py", "exec"), vars(module))
    triple = vars(module)["made"](3)
    found = closures(["made.py"])
    assert found == [triple]
    swap(module, source.replace("*", "+"), found)
    assert triple(4) == 7
    with pytest.raises(CannotSwap):
        swap(module, source.replace("* by", "* 2"), found)
