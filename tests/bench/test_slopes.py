"""What grows is told from what only trembles."""

from __future__ import annotations

import random

import pytest

from app.bench.slopes import slope

TIMES_S = [15.0 * number for number in range(30)]


@pytest.mark.parametrize(
    ("a_minute", "noise", "flat"),
    [(0.0, 0.0, True), (0.0, 1.0, True), (0.0, 5.0, True), (2.0, 1.0, False), (-2.0, 1.0, True)],
)
def test_growth_is_found_in_noise(a_minute: float, noise: float, flat: bool) -> None:
    """A hundred MiB that gain two a minute grow; those that tremble by five, or shrink, do not."""
    dice = random.Random(3)
    values = [100 + a_minute * time_s / 60 + dice.uniform(-noise, noise) for time_s in TIMES_S]
    found = slope(TIMES_S, values)
    assert found.flat is flat
    assert found.a_minute == pytest.approx(a_minute, abs=0.1 + noise / 5)


def test_growth_of_a_thousandth_a_minute_is_no_growth() -> None:
    """However exactly it is known: ten minutes make a hundredth."""
    assert slope(TIMES_S, [1000 + time_s / 60 * 0.5 for time_s in TIMES_S]).flat
