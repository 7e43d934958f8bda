"""The comparator takes what a program may return, however large, in a bounded time."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from app.closeness import allowed_for, examine
from app.compare import compare
from app.contract import Contract, Dict, Leaf, ListOf, Tolerance
from app.model import Mismatch, Value
from tests.test_compare import ARRAY, FIELDS, NINE


def test_ten_million_numbers_cost_at_most_four_subtractions() -> None:
    """A ratio taken in one run, the best of several, with nothing allocated of the full size."""
    want = np.linspace(-1.0, 1.0, 10**7)
    got, out = want * (1 + 1e-12), np.empty_like(want)
    allowed = allowed_for(ARRAY, NINE)
    subtracting, examining = [], []
    for _ in range(5):
        subtracting.append(_seconds(lambda: np.subtract(got, want, out=out)))
        examining.append(_seconds(lambda: examine(got, want, allowed)))
    assert compare(got, ARRAY, want, NINE) is None
    assert min(examining) <= 4 * min(subtracting)


def _seconds(call: Any) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def test_a_million_numbers_at_the_very_edge_do_not_keep_the_judge_busy() -> None:
    """Exact decisions have a budget; beyond it float64 decides, and the verdict is still the edge's."""
    want = np.ones(10**6)
    assert compare(want * 1.5, ARRAY, want, Tolerance(0.5, 0.0)) is None
    assert isinstance(compare(want * 1.6, ARRAY, want, Tolerance(0.5, 0.0)), Mismatch)


def test_a_million_unexpected_keys_do_not_keep_the_judge_busy() -> None:
    """A near miss is looked for among the first few only."""
    value = {f"{number:060d}": 1.0 for number in range(10**6)}
    mismatch = compare(value, FIELDS, {"clipped_gradients": [], "global_norm": 0.0}, NINE)
    assert mismatch is not None
    assert mismatch.message == 'missing key "clipped_gradients"'


_FLAGS = np.zeros((1 << 16, *(1,) * 60), dtype=bool)
_HUGE: dict[str, tuple[Value, Contract, Value]] = {
    "an unexpected key of 9,000 digits": (
        {"a": 1.0, 10**9000: 1.0},
        Dict((("a", Leaf("number")),)),
        {"a": 1.0},
    ),
    "a key of 9,000 digits for another": (
        {-(10**9000): 1.0},
        Dict((("a", Leaf("number")),)),
        {"a": 1.0},
    ),
    "arrays of 64 axes in a list": (
        [np.zeros((1,) * 64)] * 2,
        Leaf("array_like"),
        np.zeros(2),
    ),
    "axes of length 1, of several types": (
        [_FLAGS, _FLAGS.view(np.int8)],
        Leaf("array_like"),
        np.zeros(2),
    ),
    "axes of length 1, of several shapes": (
        [_FLAGS, _FLAGS[..., 0]],
        Leaf("array_like"),
        np.zeros(2),
    ),
    "an array of millions for a list": (
        np.zeros(1 << 24, dtype=np.uint8),
        ListOf(Leaf("number")),
        [1.0],
    ),
    "a long double beyond a float64": (
        np.array([np.longdouble("1e4000"), 1.0], dtype=np.longdouble),
        Leaf("array_like"),
        np.ones(2),
    ),
    "a long double beside a long integer": (
        [10**400, np.longdouble(1)],
        ListOf(Leaf("number")),
        [2**70, 1],
    ),
}


@pytest.mark.parametrize("name", _HUGE)
def test_no_value_of_a_program_is_too_much_to_compare(name: str) -> None:
    """It is wrong, and found to be wrong in no time."""
    value, contract, answer = _HUGE[name]
    before_s = time.process_time()
    assert compare(value, contract, answer, Tolerance(1e-9, 0.0)) is not None
    assert time.process_time() - before_s < 1.0


def test_arrays_of_several_types_in_a_list_are_still_numbers() -> None:
    """One shape and several dtypes are right; several shapes are ragged, and it is said where."""
    rows = [np.array([1, 2]), np.array([3.0, 4.0]), np.array([5.0, 6.0], dtype=np.float32)]
    answer = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    assert compare(rows, Leaf("array_like"), answer, Tolerance(1e-9, 0.0)) is None
    ragged = compare([rows[0], rows[1][:1]], Leaf("array_like"), answer, Tolerance(1e-9, 0.0))
    assert ragged is not None
    assert "[0] has 2 items, [1] has 1 item" in ragged.message
