"""Boxes or a package: canaries tell which of them fails."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from app.canary import Canary, Found, samples
from app.model import Judgement, TestCase, Variant
from app.problem import Catalogue, load_catalogue
from tests.problem.plain_runner import PlainRunner

BASE = Path(__file__).resolve().parent / "packages" / "base"
PLAIN, REPORT = "weighted_mean/plain", "weighted_mean/report"


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory: pytest.TempPathFactory) -> Catalogue:
    """Two variants."""
    return load_catalogue(BASE, tmp_path_factory.mktemp("cache"), PlainRunner())


def canary(catalogue: Catalogue, failing: set[str], asked: list[tuple[str, int]]) -> Canary:
    """One whose programs fail on some variants; what was asked, with how many tests."""

    def judged(source: str, variant: Variant, tests: Sequence[TestCase] | None) -> Judgement:
        assert "def " in source
        asked.append((variant.id, len(variant.tests if tests is None else tests)))
        verdict = "WA" if variant.id in failing else "AC"
        return Judgement(verdict, 0.0, 0, 0, (), "v", "wrong value" if failing else "")  # type: ignore[arg-type]

    return Canary(catalogue, judged)


REASON = f"{PLAIN}: an accepted program got WA wrong value"


@pytest.mark.parametrize(
    ("suspects", "failing", "found"),
    [
        (set(), set(), Found()),
        (set(), {PLAIN}, Found()),
        ({PLAIN}, set(), Found()),
        ({PLAIN}, {PLAIN}, Found("", {PLAIN: REASON})),
        ({PLAIN}, {PLAIN, REPORT}, Found(REASON, {PLAIN: REASON})),
        ({"gone/away"}, {PLAIN}, Found()),
    ],
    ids=["all well", "one broken", "no longer", "only the suspect", "everything", "taken away"],
)
def test_a_suspect_is_broken_where_others_pass(
    catalogue: Catalogue, suspects: set[str], failing: set[str], found: Found
) -> None:
    """Only where nothing passes, nothing may be judged."""
    assert canary(catalogue, failing, []).look(suspects) == found


def test_nothing_passes_where_everything_fails_from_the_start(catalogue: Catalogue) -> None:
    """Without a suspect, too."""
    found = canary(catalogue, {PLAIN, REPORT}, []).look(())
    assert "an accepted program got WA" in found.unfit


def test_a_suspect_is_tried_on_all_tests_and_others_on_their_samples(catalogue: Catalogue) -> None:
    """A suspect may fail on any test; of others one only wants to know whether boxes work."""
    asked: list[tuple[str, int]] = []
    canary(catalogue, {PLAIN}, asked).look({PLAIN})
    everything, shown = len(catalogue.get(PLAIN).tests), len(samples(catalogue.get(REPORT)))
    assert asked == [(PLAIN, everything), (REPORT, shown)]


def test_a_package_without_an_accepted_program_cannot_be_judged(
    catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is named, with its folder."""
    folder = catalogue.family("weighted_mean").folder
    monkeypatch.setattr(type(folder), "names", lambda *_: [])
    assert "holds no program" in canary(catalogue, set(), []).failing(PLAIN)
