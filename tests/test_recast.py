"""The same numbers in another form: by what is plain about a value, and no further."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.contract import AnySequence, Contract, Dict, DictOf, Leaf, List, ListOf, Tuple
from app.form import loosened, mapped, recast, rounded, with_leaves
from app.model import Unsupported, Value

N, INTEGER, BOOLEAN, STRING = Leaf("number"), Leaf("integer"), Leaf("boolean"), Leaf("string")
ARRAY, NESTED, LIKE = Leaf("array"), Leaf("nested_list"), Leaf("array_like")
AB = Dict((("a", N), ("b", ListOf(N))))
EVERYTHING = Dict((
    ("tuple", Tuple((N, NESTED))),
    ("list", List((ARRAY, DictOf(NESTED)))),
    ("list of", ListOf(LIKE)),
    ("sequence", AnySequence(STRING)),
))  # fmt: skip


def _same(one: Any, other: Any) -> bool:
    """Equal, and of the same types all the way down."""
    with np.printoptions(floatmode="unique"):
        return type(one) is type(other) and repr(one) == repr(other)


# (a value, the contract, what it becomes without an answer)
RECAST: list[tuple[Value, Contract, Value]] = [
    (np.array([[3.0]]), N, np.float64(3.0)),
    (np.array(3), INTEGER, np.int64(3)),
    (np.array([1.0, 2.0]), N, np.array([1.0, 2.0])),
    (np.array([]), N, np.array([])),
    ([5.0], N, 5.0),
    ((5,), INTEGER, 5),
    ([(True,)], BOOLEAN, True),
    ([1.0, 2.0], N, [1.0, 2.0]),
    ([], N, []),
    ({"a": 1.0}, N, {"a": 1.0}),
    (["x"], STRING, ["x"]),
    ([1.0], ARRAY, [1.0]),
    ([1.0, (2.0,)], AB, {"a": 1.0, "b": [2.0]}),
    (([1.0], [2.0]), AB, {"a": 1.0, "b": [2.0]}),
    ([1.0], AB, [1.0]),
    ([1.0, 2.0, 3.0], AB, [1.0, 2.0, 3.0]),
    (np.array([1.0, 2.0]), AB, np.array([1.0, 2.0])),
    ({"b": (2.0,), "a": [1.0], "c": (3.0,)}, AB, {"b": [2.0], "a": 1.0, "c": (3.0,)}),
    ({"x": (1.0,), 3: [2.0]}, DictOf(N), {"x": 1.0, 3: 2.0}),
    ([1.0], DictOf(N), [1.0]),
    ([1.0, [2.0]], Tuple((N, N)), (1.0, 2.0)),
    ((1.0, [2.0]), List((N, N)), [1.0, 2.0]),
    ({"a": 1.0, "b": [2.0]}, Tuple((N, N)), (1.0, 2.0)),
    (np.array([[1.0], [2.0]]), Tuple((N, N)), (np.float64(1.0), np.float64(2.0))),
    ((1.0,), List((N, N)), (1.0,)),
    (5.0, Tuple((N,)), 5.0),
    ("ab", Tuple((N, N)), "ab"),
    (np.array(5.0), Tuple((N,)), np.array(5.0)),
    ((1.0, [2.0]), ListOf(N), [1.0, 2.0]),
    ({"a": (1.0,)}, ListOf(N), [1.0]),
    (([1.0], 2.0), AnySequence(N), [1.0, 2.0]),
    (np.array([1.0, 2.0]), ListOf(N), [np.float64(1.0), np.float64(2.0)]),
    (np.array(1.0), ListOf(N), np.array(1.0)),
    (5.0, ListOf(N), 5.0),
    ("ab", ListOf(N), "ab"),
]


def test_a_value_is_put_into_the_containers_asked_for() -> None:
    """Where it is plain what belongs where; anything else stays as it is."""
    for value, contract, becomes in RECAST:
        assert _same(recast(value, contract), becomes), (value, contract)


# (a value, the contract, the answer, whether it may become the answer)
FITS: list[tuple[Value, Contract, Value, bool]] = [
    ({"b": (2.0,), "a": 1.0}, AB, {"a": 9.0, "b": [9.0]}, True),
    ([1.0, (2.0,)], AB, {"a": 9.0, "b": [9.0]}, True),
    ([1.0, (2.0, 3.0)], AB, {"a": 9.0, "b": [9.0]}, False),
    ({"a": 1.0, "b": (2.0,), "c": 3.0}, AB, {"a": 9.0, "b": [9.0]}, False),
    ({"a": [1.0]}, AB, {"a": 9.0, "b": [9.0]}, False),
    ({"x": (1.0,)}, DictOf(ListOf(N)), {"x": [9.0]}, True),
    ({"x": (1.0, 2.0)}, DictOf(ListOf(N)), {"x": [9.0]}, False),
    ({"x": (1.0,)}, DictOf(ListOf(N)), {"y": [9.0]}, False),
    ((1.0, [2.0]), ListOf(N), [9.0, 9.0], True),
    ((1.0, [2.0]), ListOf(N), [9.0], False),
    ((1.0, [2.0]), AnySequence(N), (9.0, 9.0), True),
    ((1.0, [2.0]), AnySequence(N), (9.0, 9.0, 9.0), False),
    ([(1.0, 2.0)], Tuple((ListOf(N),)), ([9.0, 9.0],), True),
    ([(1.0, 2.0)], Tuple((ListOf(N),)), ([9.0],), False),
    ([(1.0, 2.0)], List((ListOf(N),)), [[9.0]], False),
    ([(1.0, 2.0)], ListOf(ListOf(N)), [[9.0, 9.0]], True),
    ([(1.0, 2.0)], ListOf(ListOf(N)), [[9.0]], False),
    # An answer that breaks the contract says nothing here.
    ({"a": 1.0, "b": (2.0,)}, AB, 9.0, True),
    ({"x": (1.0,)}, DictOf(ListOf(N)), 9.0, False),
    ((1.0, [2.0]), ListOf(N), 9.0, True),
    ((1.0, [2.0]), Tuple((N, N)), 9.0, True),
    ((1.0, [2.0]), Tuple((N, N)), (9.0,), True),
]


def test_what_can_never_fit_the_answer_is_not_walked() -> None:
    """By lengths and keys at every level: a program may have returned millions of entries."""
    for value, contract, answer, fits in FITS:
        whole = recast(value, contract)
        assert _same(recast(value, contract, answer), whole) == fits, (value, answer)


def _named(leaf: Leaf, value: Value) -> Value:
    return f"{leaf.kind} {value!r}"


# (a value, the contract, the value with each leaf named)
MAPPED: list[tuple[Value, Contract, Value]] = [
    (1.0, N, "number 1.0"),
    ({"b": [2.0], "a": 1.0, "c": 3.0}, AB, {"b": ["number 2.0"], "a": "number 1.0", "c": 3.0}),
    ([1.0], AB, [1.0]),
    ({"x": 1}, DictOf(INTEGER), {"x": "integer 1"}),
    ([1], DictOf(INTEGER), [1]),
    ((1.0, "x"), Tuple((N, STRING)), ("number 1.0", "string 'x'")),
    ([1.0, "x"], Tuple((N, STRING)), ["number 1.0", "string 'x'"]),
    ((1.0, "x"), List((N, STRING)), ("number 1.0", "string 'x'")),
    ([1.0, "x"], List((N, STRING)), ["number 1.0", "string 'x'"]),
    ((1.0,), Tuple((N, STRING)), (1.0,)),
    ({"a": 1.0}, List((N,)), {"a": 1.0}),
    ((1.0, 2.0), ListOf(N), ("number 1.0", "number 2.0")),
    ([1.0], AnySequence(N), ["number 1.0"]),
    ((1.0,), AnySequence(N), ("number 1.0",)),
    ({"a": 1.0}, ListOf(N), {"a": 1.0}),
    ([[1.0]], ListOf(NESTED), ["nested_list [1.0]"]),
    (Unsupported("set"), ListOf(N), Unsupported("set")),
]


def test_leaves_are_changed_and_containers_stay() -> None:
    """By the contract's leaves, also in the other kind of sequence; what does not fit is left."""
    for value, contract, becomes in MAPPED:
        assert _same(mapped(value, contract, _named), becomes), (value, contract)


def test_every_leaf_of_a_contract_can_be_changed() -> None:
    """In every container, and nothing else."""
    changed = with_leaves(EVERYTHING, lambda leaf: Leaf(leaf.kind, rtol=0.5))
    n, nested, array, like, text = (
        Leaf(kind, rtol=0.5) for kind in ("number", "nested_list", "array", "array_like", "string")
    )
    assert changed == Dict((
        ("tuple", Tuple((n, nested))),
        ("list", List((array, DictOf(nested)))),
        ("list of", ListOf(like)),
        ("sequence", AnySequence(text)),
    ))  # fmt: skip


def test_a_loosened_contract_takes_arrays_and_lists_alike() -> None:
    """Numbers, texts and what a leaf says about its numbers stay."""
    assert loosened(EVERYTHING) == Dict((
        ("tuple", Tuple((N, LIKE))),
        ("list", List((LIKE, DictOf(LIKE)))),
        ("list of", ListOf(LIKE)),
        ("sequence", AnySequence(STRING)),
    ))  # fmt: skip
    assert loosened(Leaf("array", round=2, rtol=0.5)) == Leaf("array_like", round=2, rtol=0.5)


TWO, THOUSANDS = Leaf("number", round=2), Leaf("array_like", round=-3)

# (a value, the contract, the value rounded)
ROUNDED: list[tuple[Value, Contract, Value]] = [
    (1.23456, TWO, 1.23),
    (1.23456, N, 1.23456),
    (np.float64(1.23456), TWO, 1.23),
    (7, TWO, 7),
    (True, TWO, True),
    ("x", TWO, "x"),
    (1e300, TWO, 1e300),
    ((1.23456, 1.23456), Tuple((TWO, N)), (1.23, 1.23456)),
    ([1.23456, (2.34567, [3.45678])], Leaf("nested_list", round=2), [1.23, (2.35, [3.46])]),
    (np.array([1234.5, -6789.0]), THOUSANDS, np.array([1000.0, -7000.0])),
    (np.array([1234, 5]), THOUSANDS, np.array([1234, 5])),
    (np.array([1.25e13 + 0.0078125, 0.126]), Leaf("array", round=2), np.array([1.25e13 + 0.0078125, 0.13])),
    (np.array([9e12 + 0.126953125]), Leaf("array", round=2), np.array([9e12 + 0.13])),
    (np.array([1e13, -1e308, np.inf]), Leaf("array", round=2), np.array([1e13, -1e308, np.inf])),
    (np.array([np.nan, 0.126]), Leaf("array", round=2), np.array([np.nan, 0.13])),
]  # fmt: skip


def test_a_value_is_rounded_where_the_contract_asks_for_it() -> None:
    """Floats alone, in any container; one so large that it has no such places stays."""
    for value, contract, becomes in ROUNDED:
        assert _same(rounded(value, contract), becomes), (value, contract)
