"""Form in its corners: what is walked, what is packed, and how a place is named."""

from __future__ import annotations

import math
import sys
import warnings
from typing import Any

import numpy as np
import pytest

from app.compare import compare
from app.contract import AnySequence, Contract, Dict, DictOf, Leaf, ListOf, Tolerance
from app.form import Pair, align, leaves, recast
from app.model import Value

EXACT = Tolerance(0.0, 0.0)
LIKE = Leaf("array_like")


def unsigned(*numbers: int) -> Any:
    return np.array(numbers, dtype=np.uint64)


@pytest.mark.parametrize(
    ("got", "want", "errors"),
    [
        (unsigned(2**63 + 1), unsigned(2**63 + 1), []),
        (unsigned(2**63 + 1), [2**63 + 1], []),
        ([2**63 + 1], unsigned(2**63 + 1), []),
        (unsigned(2**63), np.array([2.0**63]), []),
        (np.array([2.0**63]), unsigned(2**63), []),
        (unsigned(2**63 - 1, 3), np.array([2**63 - 1, 3]), []),
        (unsigned(2**63 + 1, 7), unsigned(2**63 + 3, 7), [2.0]),
        (unsigned(2**63), np.array([2**63 - 1]), [1.0]),
        (unsigned(1), np.array([2]), [1.0]),
        (unsigned(), np.array([], dtype=int), []),
        ([2**53 + 1, 1.0], [2**53 + 1, 1], []),
        ([np.int64(2**62), 2**70], [2**80, 2**70], [2.0**80 - 2.0**62]),
        ([np.uint64(2**63 + 1), np.float32(0.5)], [2**63 + 1, 0], [0.5]),
        ([2**53 + 1, 1], [2**53 + 1, 1.0], []),
        ([np.int64(2**53 + 1), 1.5], [2**53 + 1, 1.5], []),
        ([2**53 + 1, 1.0], [2**53, 1], [1.0]),
        ([-(2**53) - 1, 1.0], [-(2**53), 1], [1.0]),
        ([np.array([2**53 + 1]), np.array([0.5])], [[2**53 + 1], [0.5]], []),
        ([np.array([[2**53 + 1]]), np.array([[0.5]])], [[[2**53 + 1]], [[0.5]]], []),
        ([np.array([[2**53 + 1]]), np.array([[2]])], [[[2**53 + 1]], [[3]]], [1.0]),
    ],
)
def test_integers_are_compared_as_the_numbers_they_are(
    got: Any, want: Any, errors: list[float]
) -> None:
    """Unsigned, long, or among floats: neither wrapped nor rounded to a float."""
    mismatch = compare(got, LIKE, want, EXACT)
    assert (mismatch is None) == (not errors)
    assert mismatch is None or [item.error for item in mismatch.differences] == errors


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, np.int64, np.uint64])
@pytest.mark.parametrize("listed", [False, True], ids=["alone", "in a list"])
@pytest.mark.parametrize("returned", [2**70, 10**400], ids=["long", "beyond floats"])
def test_an_expected_integer_is_one_in_whatever_type_it_comes(
    dtype: Any, listed: bool, returned: int
) -> None:
    """As an array of any width, with axes or without: a long integer that was returned keeps its
    digits."""
    got = [returned] if listed else returned
    mismatch = compare(got, LIKE, np.array([7] if listed else 7, dtype=dtype), EXACT)
    assert mismatch is not None
    [told] = mismatch.differences
    digits = str(2**70) if returned == 2**70 else "an integer of about 401 digits"
    assert (told.got, told.want) == (digits, "7")


def test_arrays_beside_lists_are_walked_as_far_as_a_list_may_go() -> None:
    """Up to four million items: one for every number of an array and each of its axes."""
    axes, count = 40, 100_000
    zeros = np.zeros((1,) * (axes - 1) + (count,))
    mixed = [zeros, zeros.tolist()]
    assert compare(mixed, LIKE, np.stack([zeros, zeros]), EXACT) is None
    mismatch = compare([*mixed, np.zeros(1)], LIKE, np.stack([zeros, zeros]), EXACT)
    assert mismatch is not None
    words = "arrays of different shapes were returned in one list"
    assert (mismatch.kind, mismatch.message, mismatch.summary) == ("structure", words, words)


ONES, TWO = np.ones(3), np.ones((2, 3))


@pytest.mark.parametrize(
    ("leaf", "got", "want", "calls"),
    [
        (Leaf("array"), ONES, ONES, 0),
        (LIKE, TWO, TWO, 0),
        (Leaf("array", dtype_kinds="f"), ONES, ONES, 0),
        (Leaf("array", dtype_kinds="iuf"), ONES, ONES, 0),
        (Leaf("array"), ONES, ONES.astype(np.float32), 2),
        (Leaf("array"), ONES.astype(int), ONES, 2),
        (LIKE, ONES, [1.0, 1.0, 1.0], 2),
        (LIKE, [1.0, 1.0, 1.0], ONES, 2),
        (Leaf("nested_list"), [1.0, 1.0, 1.0], ONES, 2),
    ],
)
def test_two_arrays_alike_are_paired_at_a_glance(
    leaf: Leaf, got: Any, want: Any, calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of small arrays are common; anything else is taken apart first."""
    seen = _calls(monkeypatch, "_gathered")
    assert compare(got, leaf, want, EXACT) is None
    assert len(seen) == calls


@pytest.mark.parametrize(
    ("leaf", "got", "calls"),
    [
        (Leaf("nested_list"), [1.0, 1.0, 1.0], 0),
        (LIKE, [1.0, 1.0, 1.0], 0),
        (LIKE, (1.0, 1.0, 1.0), 1),
        (LIKE, [1.0, 1, 1.0], 1),
        (Leaf("nested_list"), [[1.0, 1.0, 1.0]] * 2, 2),
        (LIKE, [np.ones(3)], 1),
        (LIKE, [np.ones((2, 3))] * 2, 1),
    ],
)
def test_lists_of_floats_or_of_arrays_alike_are_taken_at_a_glance(
    leaf: Leaf, got: Any, calls: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a look at each of them; one look at every level of other lists."""
    want = np.ones(np.shape(got))
    seen = _calls(monkeypatch, "_ragged")
    assert compare(got, leaf, want, EXACT) is None
    assert len(seen) == calls


def _calls(monkeypatch: pytest.MonkeyPatch, name: str) -> list[Any]:
    """Notes the calls of a function of leaves.py."""
    seen: list[Any] = []
    function = getattr(leaves, name)

    def noted(*arguments: Any) -> Any:
        seen.append(arguments)
        return function(*arguments)

    monkeypatch.setattr(leaves, name, noted)
    return seen


@pytest.mark.parametrize(("before", "near"), [(0, True), (9, True), (10, False)])
def test_a_misspelt_key_is_looked_for_among_the_first_ten(before: int, near: bool) -> None:
    """And shown up to sixty characters: a program may return any number of keys of any length."""
    key, contract = "k" * 70, Dict((("k" * 62, Leaf("number")),))
    value: Any = {**{f"{n}": 1.0 for n in range(before)}, key: 1.0}
    mismatch = compare(value, contract, {"k" * 62: 1.0}, EXACT)
    assert mismatch is not None
    assert mismatch.named == ("k" * 60 if near else "")
    assert mismatch.message.endswith(f'; you returned "{"k" * 60}"') == near


@pytest.mark.parametrize(
    ("contract", "value", "answer", "path", "named"),
    [
        (ListOf(Leaf("number")), [1.0, True], [1.0, 1.0], "[1]", ""),
        (ListOf(LIKE), [[1.0], [[1.0, "x"]]], [[1.0], [[1.0, 2.0]]], "[1][0][1]", ""),
        (Dict((("a", ListOf(LIKE)),)), {"a": [[1.0], {}]}, {"a": [[1.0], [2.0]]}, "a[1]", ""),
        (Dict((("a", Leaf("number")),)), {"ab": 1.0}, {"a": 1.0}, "", "ab"),
        (DictOf(Leaf("number")), {"abd": 1.0, "ab": 1.0, "abe": 1.0}, {"abc": 1.0}, "", "ab"),
        (DictOf(Leaf("number")), {3: 1.0, "b": 1.0}, {}, "", "3"),
        (DictOf(Leaf("number")), {12346: 1.0}, {12345: 1.0}, "", "12346"),
        (ListOf(Leaf("number")), ["x", 1.0], [1.0, 1.0], "[0]", ""),
        (ListOf(AnySequence(LIKE)), [[[1.0], [{}]]], [[[1.0], [1.0]]], "[0][1][0]", ""),
    ],
)
def test_a_mismatch_of_form_knows_its_place(
    contract: Contract, value: Any, answer: Any, path: str, named: str
) -> None:
    """And the name that the learner's program made, if there is one."""
    mismatch = compare(value, contract, answer, EXACT)
    assert mismatch is not None
    assert (mismatch.path, mismatch.named) == (path, named)
    assert named in mismatch.message


@pytest.mark.parametrize("kind", ["number", "integer", "boolean"])
def test_a_list_of_numbers_is_one_pair(kind: Any) -> None:
    """As if it were an array: a million numbers are not a million looks."""
    numbers = [True, False] if kind == "boolean" else [1, 2]
    (pair,) = align(numbers, ListOf(Leaf(kind)), numbers)
    assert isinstance(pair, Pair)
    assert pair.got.tolist() == pair.want.tolist() == numbers


def test_only_what_may_be_long_becomes_pythons_integers() -> None:
    """They are compared one by one; 64 bits, and floats, are not."""
    dtypes = {}
    for name, got, want in (
        ("integers", [1, 2], [1, 2]),
        ("a long one for integers", [1, 2**70], [1, 2]),
        ("a long one for floats", [1, 2**70], [1.0, 2.0]),
        ("integers for a long one", [1, 2], [1, 2**70]),
        ("floats", [1, 2.0], [1.0, 2**52]),
        ("floats without integers", [1e300, 1.0], [1.0, 2.0**53]),
        ("floats not finite", [1, np.nan], [1.0, 2]),
        ("as many digits as fit", [2**53, -(2**60), 1.0], [1, 2, 3]),
        ("a digit too many", [2**53 + 1, 1.0], [1, 2]),
        ("a digit too many below", [np.int64(-(2**53) - 1), 1.0], [1, 2]),
        ("long floats", [1, 1e300, -np.inf], [1, 2, 3]),
        ("nothing", [], []),
        ("single floats", [np.float32(1), np.float32(2)], [1.0, 2.0]),
        ("unsigned that fit", unsigned(2**63 - 1, 2), [1, 2]),
        ("unsigned that do not", unsigned(2**63, 2), [1, 2]),
        ("a long double", [np.longdouble(1), 2.0], [1.0, 2.0]),
        ("an array of single floats", np.ones(2, np.float32), [1.0, 2.0]),
        ("an array of long doubles", np.ones(2, np.longdouble), [1.0, 2.0]),
    ):
        (pair,) = align(got, Leaf("array_like"), want)
        assert isinstance(pair, Pair)
        dtypes[name] = pair.got.dtype.name, pair.want.dtype.name
    assert dtypes == {
        "integers": ("int64", "int64"),
        "a long one for integers": ("object", "object"),
        "a long one for floats": ("float64", "float64"),
        "integers for a long one": ("int64", "object"),
        "floats": ("float64", "float64"),
        "floats without integers": ("float64", "float64"),
        "floats not finite": ("float64", "float64"),
        "as many digits as fit": ("float64", "int64"),
        "a digit too many": ("object", "object"),
        "a digit too many below": ("object", "object"),
        "long floats": ("float64", "int64"),
        "nothing": ("int64", "int64"),
        "single floats": ("float64", "float64"),
        "unsigned that fit": ("int64", "int64"),
        "unsigned that do not": ("object", "object"),
        "a long double": ("float64", "float64"),
        "an array of single floats": ("float32", "float64"),
        "an array of long doubles": ("float64", "float64"),
    }


def test_the_largest_integer_that_a_float_can_be_is_one() -> None:
    """The next one is not."""
    largest = sys.float_info.max
    assert compare([int(largest)], LIKE, [largest], EXACT) is None
    beyond = compare([int(largest) + 1], LIKE, [largest], EXACT)
    assert beyond is not None
    assert beyond.message == "[0] is an integer beyond the range of float64"
    infinite = compare([math.inf, -(10**400)], LIKE, [1.0, 1.0], EXACT)
    assert infinite is not None
    assert infinite.message == "[1] is an integer beyond the range of float64"


@pytest.mark.parametrize(("length", "cut"), [(120, ""), (122, " … 2 more characters")])
def test_a_text_is_shown_up_to_120_characters(length: int, cut: str) -> None:
    """The learner's and the expected one."""
    mismatch = compare("a" * length, Leaf("string"), "b" * length, EXACT)
    assert mismatch is not None
    shown = f"'{'a' * 120}'{cut}", f"'{'b' * 120}'{cut}"
    assert mismatch.message == f"{shown[0]} was returned, {shown[1]} expected"
    assert [(item.got, item.want) for item in mismatch.differences] == [shown]


def test_what_can_never_fit_is_not_put_into_another_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether right numbers came in a wrong container: only where there are as many."""
    steps: list[Value] = []

    def noted(value: Value, contract: Contract, answer: Value = None) -> Value:
        steps.append(value)
        return recast(value, contract, answer)

    monkeypatch.setattr(sys.modules["app.form.recast"], "recast", noted)
    for count in (2, 3):
        steps.clear()
        assert compare(tuple([1.0] * count), ListOf(Leaf("number")), [1.0, 1.0], EXACT) is not None
        assert len(steps) == (2 if count == 2 else 0)


def test_both_types_of_bools_are_bools() -> None:
    """Python's and NumPy's, also beside each other."""
    answer = [True, False, True]
    mismatch = compare([True, np.bool_(True), np.True_], ListOf(Leaf("boolean")), answer, EXACT)
    assert mismatch is not None
    assert mismatch.message == "1 of 3 numbers is wrong, at [1]: True instead of False"


def test_a_long_double_beyond_every_float64_is_an_infinity_without_a_warning() -> None:
    """In an array and in a list: what a program returns is no news for the judge's log."""
    huge = np.longdouble("1e4000")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for value in (np.array([huge, 1.0]), [huge, 1.0]):
            mismatch = compare(value, LIKE, [1.0, 1.0], EXACT)
            assert mismatch is not None
            assert mismatch.message == "∞ at [0], expected 1.0"


def test_items_are_counted_by_what_they_are() -> None:
    """What may be a list or a tuple is an item."""
    mismatch = compare([], ListOf(AnySequence(Leaf("number"))), [[1.0], [2.0]], EXACT)
    assert mismatch is not None
    assert mismatch.message == "2 items expected, 0 returned"
    assert mismatch.summary == "the wrong number of items"


@pytest.mark.parametrize(("length", "shown"), [(60, f'"{"k" * 60}"'), (61, f"'{'k' * 60}' … ")])
def test_a_key_is_shown_up_to_sixty_characters(length: int, shown: str) -> None:
    """And how many more there are."""
    mismatch = compare({"k" * length: 1.0}, DictOf(Leaf("number")), {}, EXACT)
    assert mismatch is not None
    assert mismatch.message.startswith(f"unexpected key {shown}")
