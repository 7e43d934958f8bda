"""How far apart two values are, in units in the last place and in shares of the tolerance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from app.contract import Contract, Leaf, Tolerance, Tuple
from app.model import Core, Page, Take, Variant
from app.verify.closeness import ulps_apart, worst_ratio

ULP = math.ulp(1.0)


@pytest.mark.parametrize(
    ("one", "other", "ulps"),
    [
        (1.0, 1.0, 0),
        (1.0 + 2 * ULP, 1.0, 2),
        (math.nan, math.nan, 0),
        (math.inf, 1.0, math.inf),
        (1, 1.0, math.inf),
        (True, 1, math.inf),
        (np.float64(1.0), 1.0, 0),
        (np.array(1.0), 1.0, 0),
        ({"a": [1.0, (2.0,)]}, {"a": [1.0, (2.0,)]}, 0),
        ({"a": 1.0}, {"b": 1.0}, math.inf),
        ([1.0], [1.0, 2.0], math.inf),
        (np.array([1.0, 2.0]), np.array([1.0, 2.0 + 4 * ULP]), 2),
        (np.array([[1.0]]), np.array([1.0]), math.inf),
        (np.array([math.nan]), np.array([math.nan]), 0),
        (np.array([1, 2]), np.array([1, 3]), math.inf),
        ("a", "a", 0),
        (None, None, 0),
    ],
)
def test_distance_in_units_in_the_last_place(one: Any, other: Any, ulps: float) -> None:
    """Exact for floats; anything else is equal or infinitely far."""
    assert ulps_apart(one, other) == ulps


def variant(returns: Contract) -> Variant:
    return Variant(
        id="f/v",
        title="",
        entry_point="f",
        arguments=(),
        returns=returns,
        tolerance=Tolerance(1e-9, 1e-12),
        tests=(),
        core=Core("", (), (), Take("x")),
        version="",
        page=Page("easy", 1, "", ""),
    )


@pytest.mark.parametrize(
    ("contract", "value", "answer", "guards", "ratio"),
    [
        (Leaf("number"), 1.0, 1.0, False, 0.0),
        (Leaf("number"), 1.0 + 5e-10, 1.0, False, 0.5),
        (Leaf("number", rtol=1e-3, atol=0), 1.001, 1.0, False, 1.0),
        (Leaf("array"), np.array([1.0, 2.0 + 4e-9]), np.array([1.0, 2.0]), False, 2.0),
        (Leaf("number", round=2), 3.14, math.pi, False, 0.0),
        (Leaf("number", round=2), math.pi * (1 + 1e-13), math.pi, True, 0.1),
        (Leaf("integer"), 4, 3, False, math.inf),
        (Leaf("number"), math.nan, math.nan, False, 0.0),
        (Leaf("number"), math.nan, 1.0, False, math.inf),
        (Tuple((Leaf("number"),)), [1.0], (1.0,), False, math.inf),
    ],
)
def test_the_largest_error_as_a_share_of_the_allowed(
    contract: Contract, value: Any, answer: Any, guards: bool, ratio: float
) -> None:
    """Rounded leaves are left out, or held against their guard; a wrong form is infinitely far."""
    found = worst_ratio(variant(contract), value, answer, guards=guards)
    assert found == pytest.approx(ratio, rel=1e-2)
