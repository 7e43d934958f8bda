"""The diagnosis on programs that it was not tuned on: names the mistake, or says nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.grading import programs
from tests.grading.evaluate import COMPOSED, Count, Figures, evaluate
from tests.grading.judging import in_process

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def figures() -> Iterator[Figures]:
    with in_process() as bench:
        yield evaluate(bench)


def _failures(*counts: Count) -> str:
    return "\n".join(line for count in counts for line in count.wrong)


@pytest.mark.parametrize("variant", programs.VARIANTS)
def test_right_programs_of_every_style_are_accepted_without_a_diagnosis(
    variant: str, figures: Figures
) -> None:
    """At least 30 styles a variant; not one may be told that it made a mistake."""
    count = figures.right[variant]
    assert count.all >= 30
    assert count.good == count.all, _failures(count)


@pytest.mark.parametrize("variant", programs.VARIANTS)
def test_mistaken_programs_get_the_name_of_their_mistake(variant: str, figures: Figures) -> None:
    """At least 95 % of them in every variant."""
    count = figures.named[variant]
    assert count.share >= 0.95, _failures(count)


def test_every_mistake_of_the_family_is_in_the_corpus_at_least_twice(figures: Figures) -> None:
    """Written differently; and over all, at least 95 % get their name."""
    with in_process() as bench:
        family = bench.catalogue.family_variants("gradient_clipping")
        titles = {mistake.title for variant in family for mistake in variant.mistakes}
    written = [title for program in programs.mistaken() for title in program.titles]
    assert {title for title in titles if written.count(title) < 2} == set()
    counts = figures.named.values()
    good, total = sum(count.good for count in counts), sum(count.all for count in counts)
    assert good / total >= 0.95, _failures(*counts)


@pytest.mark.parametrize("variant", programs.VARIANTS)
def test_unrelated_wrong_programs_get_no_diagnosis(variant: str, figures: Figures) -> None:
    """At least 30 a variant, wrong in ways that nobody foresaw: no guess."""
    count = figures.unrelated[variant]
    assert count.all >= 30
    assert count.good == count.all, _failures(count)


def test_programs_of_random_operators_get_no_diagnosis(figures: Figures) -> None:
    """200 of them over the variants: nothing explains nonsense."""
    counts = figures.composed.values()
    assert sum(count.all for count in counts) == COMPOSED == 200
    assert sum(count.good for count in counts) == COMPOSED, _failures(*counts)
