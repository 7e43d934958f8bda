"""Which answers lie half way between two rounded numbers."""

from __future__ import annotations

import random

import numpy as np
import pytest

from app.contract import Leaf, ListOf, Tuple
from app.problem.ties import on_tie, ties


@pytest.mark.parametrize(
    ("number", "places", "tied"),
    [
        (0.5, 0, True),
        (2.5, 0, True),
        (-2.5, 0, True),
        (2.500001, 0, False),
        (1 / 128, 6, True),
        (3 / 128, 6, True),
        (1 / 256, 7, True),
        (1 / 128, 7, False),
        (0.00005, 4, True),
        (np.nextafter(1 / 128, 1), 6, True),
        (1 / 128 + 1e-15, 6, False),
        (1e16, 4, False),
        (float("nan"), 4, False),
        (float("inf"), 4, False),
        (0.0, 4, False),
    ],
)
def test_half_way_to_one_ulp(number: float, places: int, tied: bool) -> None:
    """A neighbour of a tie counts as one: a right program may land on either."""
    assert on_tie(float(number), places) is tied


def test_exact_ties_are_found_and_random_numbers_are_not() -> None:
    """j/128 has a five as its seventh and last decimal for odd j; chance hits no tie."""
    assert all(on_tie(j / 128, 6) for j in range(1, 20_000, 2))
    draw = random.Random(5)
    assert not any(on_tie(draw.uniform(-1000, 1000), 6) for _ in range(20_000))


def test_only_leaves_that_ask_for_rounding_have_ties() -> None:
    """Lists and arrays are looked at number by number."""
    contract = Tuple((ListOf(Leaf("number", round=0)), Leaf("array"), Leaf("array", round=1)))
    answer = ([0.5, 1.0, 3.5], np.array([0.5]), np.array([[0.25, 0.3]]))
    assert list(ties(contract, answer)) == [0.5, 3.5, 0.25]
