"""What was done, and what comes next."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from app.model import Variant
from app.problem import load_catalogue
from app.web.record import nearest, streak
from tests.problem.plain_runner import PlainRunner
from tests.web.started import BASE

TODAY = date(2026, 3, 1)


@pytest.mark.parametrize(
    ("ago", "length"),
    [((), 0), ((0,), 1), ((0, 1, 2), 3), ((1, 2), 2), ((2, 3), 0), ((0, 2, 3), 1)],
)
def test_a_streak_is_days_in_a_row_up_to_now(ago: tuple[int, ...], length: int) -> None:
    """Today may still come, so a streak up to yesterday has not ended."""
    days = {TODAY - timedelta(days=each): 1 for each in ago}
    assert streak(days, TODAY) == length


@pytest.fixture(scope="module")
def variants(tmp_path_factory: pytest.TempPathFactory) -> tuple[Variant, ...]:
    """Two families of two, of which the first leads to the second."""
    found = load_catalogue(BASE, tmp_path_factory.mktemp("cache"), PlainRunner()).variants
    first, second = found
    page = replace(second.page, next="other/two")
    return (
        first,
        replace(second, page=page),
        replace(first, id="other/one"),
        replace(second, id="other/two"),
    )


@pytest.mark.parametrize(
    ("solved", "last", "expected"),
    [
        ("", None, "weighted_mean/plain"),
        ("", "other/two", "other/two"),
        ("weighted_mean/plain", "weighted_mean/plain", "weighted_mean/report"),
        ("weighted_mean/plain weighted_mean/report", "weighted_mean/report", "other/two"),
        ("other/one other/two", "other/two", "weighted_mean/plain"),
        ("weighted_mean/plain", "taken/away", "weighted_mean/report"),
    ],
    ids=["nothing done", "not solved yet", "its family", "its page", "the list", "gone"],
)
def test_the_nearest_open_problem_comes_next(
    variants: tuple[Variant, ...], solved: str, last: str | None, expected: str
) -> None:
    """First what is begun, then the same idea asked differently, then where the page leads."""
    found = nearest(variants, set(solved.split()), last)
    assert found is not None
    assert found.id == expected


def test_nothing_comes_after_everything(variants: tuple[Variant, ...]) -> None:
    """All are solved."""
    assert nearest(variants, {variant.id for variant in variants}, "other/two") is None
