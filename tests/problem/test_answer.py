"""Custom input is answered by the core, now, in a box of its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from app.errors import Invalid
from app.problem import Catalogue, arguments, load_catalogue
from app.problem.answer import custom_case
from tests.problem.plain_runner import PlainRunner


def test_custom_input_is_answered_by_the_core(catalogue: Catalogue, runner: PlainRunner) -> None:
    """The case is shown in full, like a sample, and its answer is unrounded."""
    report = catalogue.get("weighted_mean/report")
    given = arguments.parse(report, {"values": [1, 2], "weights": [1, 2]})
    case = custom_case(report, given, runner)
    assert case.sample
    assert case.contents().arguments == ([1, 2], [1, 2])
    assert case.contents().answer == {"mean": 5 / 3, "total": 3.0}
    assert runner.calls == 1


@pytest.mark.parametrize(
    ("body", "told", "words"),
    [
        (
            "raise ValueError('no')",
            "it raises ValueError: no",
            "the core raised ValueError.*: no on this input",
        ),
        ("return None", "it ends without a result", "the core returned"),
        ("return {'mean': 'x'}", "has not the form", "'total' is missing|is missing"),
    ],
)
def test_input_that_the_core_cannot_take_is_the_inputs_fault(
    problems: Path,
    tmp_path: Path,
    runner: PlainRunner,
    edit: Callable[[str, str, str], None],
    body: str,
    told: str,
    words: str,
) -> None:
    """Nobody's program is called wrong over an input that has no answer; why is for the author."""
    edit("core.py", '    return {"mean"', f'    {body}\n    return {{"mean"')
    report = load_catalogue(problems, tmp_path / "c", runner).get("weighted_mean/report")
    with pytest.raises(Invalid, match=r"^the reference cannot take this input: ") as caught:
        custom_case(report, ([1], [2]), runner)
    assert caught.value.errors[0].where == "arguments"
    assert told in str(caught.value)
    assert "line" not in str(caught.value)
    assert re.search(words, str(caught.value.__cause__))
