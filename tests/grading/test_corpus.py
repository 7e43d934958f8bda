"""The diagnosis on programs that it was not tuned on: names the mistake, or says nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.grading import programs
from tests.grading.evaluate import COMPOSED, Count, Figures, evaluate
from tests.grading.judging import Judging, in_process

pytestmark = pytest.mark.slow

VARIANTS = [(family, variant) for family in programs.FAMILIES for variant in programs.forms(family)]


@pytest.fixture(scope="module")
def judging() -> Iterator[Judging]:
    with in_process() as bench:
        yield bench


@pytest.fixture(scope="module", params=programs.FAMILIES)
def found(request: pytest.FixtureRequest, judging: Judging) -> tuple[str, Figures]:
    """A family, and what became of its programs."""
    return request.param, evaluate(judging, request.param)


def _failures(*counts: Count) -> str:
    return "\n".join(line for count in counts for line in count.wrong)


def test_right_programs_of_every_style_are_accepted_without_a_diagnosis(
    found: tuple[str, Figures],
) -> None:
    """At least 30 styles a variant; not one may be told that it made a mistake."""
    for count in found[1].right.values():
        assert count.all >= 30
        assert count.good == count.all, _failures(count)


def test_mistaken_programs_get_the_name_of_their_mistake(found: tuple[str, Figures]) -> None:
    """At least 95 % of them in every variant, and over all."""
    counts = found[1].named.values()
    for count in counts:
        assert count.share >= 0.95, _failures(count)


def test_every_mistake_of_the_family_is_in_the_corpus_at_least_twice(
    found: tuple[str, Figures], judging: Judging
) -> None:
    """Written differently."""
    family = judging.catalogue.family_variants(found[0])
    titles = {mistake.title for variant in family for mistake in variant.mistakes}
    written = [title for program in programs.mistaken(found[0]) for title in program.titles]
    assert {title for title in titles if written.count(title) < 2} == set()


def test_unrelated_wrong_programs_get_no_diagnosis(found: tuple[str, Figures]) -> None:
    """At least 30 a variant, wrong in ways that nobody foresaw: no guess."""
    for count in found[1].unrelated.values():
        assert count.all >= 30
        assert count.good == count.all, _failures(count)


def test_programs_of_random_operators_get_no_diagnosis(found: tuple[str, Figures]) -> None:
    """200 of them over the variants of a family: nothing explains nonsense."""
    counts = found[1].composed.values()
    assert sum(count.all for count in counts) == COMPOSED
    assert all(count.good == count.all for count in counts), _failures(*counts)
