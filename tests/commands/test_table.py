"""What a terminal shows of a judgement: the fault once, the first details, never a repainted screen."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from app.commands.table import judgement_table
from app.model import Feedback, Judgement, Printed, Run, Variant, Verdict
from app.problem import load_catalogue
from tests.problem.plain_runner import PlainRunner

BASE = Path(__file__).resolve().parents[1] / "packages" / "base"


@pytest.fixture(scope="module")
def variant(tmp_path_factory: pytest.TempPathFactory) -> Variant:
    cache = tmp_path_factory.mktemp("cache")
    return load_catalogue(BASE, cache, PlainRunner()).get("weighted_mean/plain")


def _run(index: int, verdict: Verdict, sample: bool, message: str = "", **more: object) -> Run:
    feedback = Feedback(message=message, **more)  # type: ignore[arg-type]
    return Run(index, (f"label {index}",), sample, verdict, 0.0, 2048, feedback)


def _shown(variant: Variant, verdict: Verdict, *runs: Run, every: bool = False) -> str:
    judgement = Judgement(verdict, 50.0, 100, 0, runs, "v1", "the message")
    text = StringIO()
    console = Console(file=text, width=100, highlight=False)
    judgement_table(console, variant, judgement, every=every)
    return text.getvalue()


def test_a_program_that_does_not_compile_has_one_fault(variant: Variant) -> None:
    """The same sentence for each of thirteen tests would bury it."""
    runs = [_run(index, "CE", index < 2, "line 3 is wrong") for index in range(13)]
    text = _shown(variant, "CE", *runs)
    assert "line 3 is wrong" not in text
    assert text.count("the message") == 1


def test_the_first_failed_hidden_test_is_told_in_detail_and_the_others_are_counted(
    variant: Variant,
) -> None:
    """All samples, one hidden test, and how to see the rest."""
    runs = [_run(index, "WA", index < 2, f"fault {index}") for index in range(6)]
    text = _shown(variant, "WA", *runs)
    assert [index for index in range(6) if f"fault {index}" in text] == [0, 1, 2]
    assert "3 more; --all shows them" in text
    everything = _shown(variant, "WA", *runs, every=True)
    assert all(f"fault {index}" in everything for index in range(6))
    assert "--all" not in everything


def test_the_time_of_a_hidden_test_is_coarse_and_says_so(variant: Variant) -> None:
    """0 would claim more than is known."""
    assert "<10" in _shown(variant, "AC", _run(0, "AC", False))


def test_what_a_program_prints_cannot_repaint_the_terminal(variant: Variant) -> None:
    """Escape sequences and markup are shown as text."""
    printed = Printed("\x1b[2J[red]hello[/red]\u202e", 7)
    text = _shown(variant, "WA", _run(0, "WA", True, "fault", stdout=printed))
    assert "\x1b" not in text
    assert "\\x1b[2J[red]hello[/red]\\x202e" in text
    assert "7 more bytes were cut" in text
