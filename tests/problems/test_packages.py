"""What every shipped package owes its readers; what it owes the judge is the business of `verify`."""

from __future__ import annotations

import pytest

from app.model import Variant
from app.problem import Catalogue
from app.web.words import differences
from tests.problems.conftest import PROBLEMS

FAMILIES = sorted(path.parent.name for path in PROBLEMS.glob("*/family.yaml"))


@pytest.fixture(params=FAMILIES)
def variants(request: pytest.FixtureRequest, catalogue: Catalogue) -> list[Variant]:
    return [v for v in catalogue.variants if v.family == request.param]


def test_no_package_is_broken(catalogue: Catalogue) -> None:
    """Every package of the repository loads, with its data as `generate` wrote it."""
    assert catalogue.broken == ()
    assert {v.family for v in catalogue.variants} == set(FAMILIES)


def test_every_page_has_all_its_parts(variants: list[Variant]) -> None:
    """A learner finds a task, three hints or more, a worked solution and a lesson on every page."""
    for variant in variants:
        page = variant.page
        for part in (page.statement, page.worked_solution, page.lesson):
            assert part.strip(), variant.id
        assert len(page.hints) >= 3, variant.id
        for section in ("## Requirements", "## Constraints", "## Boundary cases"):
            assert section in page.statement, (variant.id, section)
        assert "## Where candidates go wrong" in page.worked_solution, variant.id


def test_every_sample_is_explained(variants: list[Variant]) -> None:
    """A sample has a title and a sentence of explanation."""
    for variant in variants:
        for test in variant.tests:
            if test.sample:
                assert test.title, (variant.id, test.name)
                assert test.explanation, (variant.id, test.name)


def test_every_test_comes_with_a_hint(variants: list[Variant]) -> None:
    """Whatever test fails, its labels carry a hint of the author."""
    for variant in variants:
        for test in variant.tests:
            assert test.labels, (variant.id, test.name)
            assert test.hint, (variant.id, test.name)


def test_the_next_problem_exists(catalogue: Catalogue, variants: list[Variant]) -> None:
    """The card that leads on leads somewhere else."""
    for variant in variants:
        assert catalogue.get(variant.page.next).id != variant.id


def test_an_explanation_stands_under_one_title(variants: list[Variant]) -> None:
    """Several files may tell one error's outcomes, each in its own words; but not under two names."""
    for variant in variants:
        told = {(m.title, m.explanation) for m in variant.mistakes}
        assert len(told) == len({explanation for _, explanation in told}), variant.id


def test_what_a_sibling_asks_is_said_in_the_words_of_the_package(catalogue: Catalogue) -> None:
    """Names and values of the core's parameters mean nothing to learners, renamed arguments no change."""
    for mine in catalogue.variants:
        for other in catalogue.variants:
            if mine.family == other.family:
                words = " | ".join(differences(mine, other))
                assert " = " not in words
    by_id = {variant.id: variant for variant in catalogue.variants}
    zero, cosine = by_id["lr_schedule/linear_zero"], by_id["lr_schedule/cosine_first"]
    said = differences(zero, cosine)
    assert "after the warm-up the rate falls along half a wave of the cosine" in said
    assert not any("lr_min" in part for part in said)
