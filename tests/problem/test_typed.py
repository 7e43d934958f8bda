"""Typed data becomes values, and everything else an error at its place."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from app.errors import Invalid
from app.model import Value
from app.notation import to_json
from app.problem import typed
from app.problem.versions import digest
from tests.values import SUPPORTED, same


@pytest.mark.parametrize(
    ("data", "value"),
    [
        (None, None),
        (True, True),
        (7, 7),
        ({"float": "NaN"}, math.nan),
        ({"float": "-Infinity"}, -math.inf),
        ([1, [2.5, None]], [1, [2.5, None]]),
        ({"tuple": [1, "a"]}, (1, "a")),
        ({"dict": {"a": 1}}, {"a": 1}),
        ({"dict": [["a", 1], [2, [3.0]]]}, {"a": 1, 2: [3.0]}),
        ({"complex": [1, -2]}, complex(1, -2)),
        ({"scalar": 3, "dtype": "int64"}, np.int64(3)),
        (
            {"array": [[1, "NaN"], ["-Infinity", -0.0]]},
            np.array([[1, math.nan], [-math.inf, -0.0]]),
        ),
        ({"array": 3.5}, np.array(3.5)),
        ({"array": [1, 2], "dtype": "int64"}, np.array([1, 2])),
        ({"array": [True, False], "dtype": "bool"}, np.array([True, False])),
        ({"array": []}, np.array([])),
        ({"array": [[], []]}, np.zeros((2, 0))),
        ({"array": [], "shape": [0, 3], "dtype": "int8"}, np.zeros((0, 3), "int8")),
        ({"array": [1, 2], "shape": [2, 1]}, np.array([[1.0], [2.0]])),
        ({"int": "0x20000000000001"}, 2**53 + 1),
        ({"array": [1, "-0x20000000000001"], "dtype": "int64"}, np.array([1, -(2**53) - 1])),
        ({"array": [[1, 2]], "dtype": "complex128"}, np.array([[1 + 0j, 2 + 0j]])),
        ({"array": [{"complex": [1, 2]}], "dtype": "complex64"}, np.array([1 + 2j], "complex64")),
        ({"scalar": {"float": "NaN"}, "dtype": "float32"}, np.float32(math.nan)),
    ],
)
def test_each_form_stands_for_its_value(data: object, value: Any) -> None:
    """Value and type are exactly those written."""
    assert digest(typed.value(data)) == digest(value)


@pytest.mark.parametrize(
    ("data", "where", "words"),
    [
        ({"array": [[1, 2], [3]]}, "x[1]", "has 1 items where the first has 2"),
        ({"array": [1, [2]]}, "x[1]", "a list stands where the others are numbers"),
        ({"array": [[1], 2]}, "x[1]", "a number stands where the others are lists"),
        ({"array": [1, "a"]}, "x[1]", 'the string "a" does not fit'),
        ({"array": [1, True]}, "x[1]", "true does not fit"),
        ({"array": [1.5], "dtype": "int64"}, "x[0]", "1.5 does not fit"),
        ({"array": [300], "dtype": "int8"}, "x", "does not fit the dtype int8"),
        ({"array": [1], "dtype": "object"}, "x", "dtype 'object'"),
        ({"array": [1], "typo": 1}, "x", "must be one of array"),
        ({"float": "nan"}, "x", "must be one of"),
        ({"dict": [["a", 1], ["a", 2]]}, "x", "twice"),
        ([1, {"a": 1}], "x[1]", "must be one of"),
        ([float("nan")], "x[0]", "not a finite number"),
        pytest.param(10**20000, "x", "too large", id="huge"),
        ({"array": [10**400]}, "x[0]", "too large"),
        ({"int": "12x"}, "x", "not an integer in hexadecimal"),
        pytest.param({"int": "0x" + "f" * 40000}, "x", "too large", id="huge, in hexadecimal"),
        ({"array": ["-0x1"], "dtype": "uint8"}, "x", "does not fit the dtype uint8"),
        ({"array": ["0x1"]}, "x[0]", 'the string "0x1" does not fit'),
        ({"array": [1, 2], "shape": [3]}, "x", "2 entries do not have this shape"),
        ({"array": [], "shape": [-1, 0]}, "x", "a shape is a list of sizes"),
        ({"array": [], "shape": [4_000_000, 4_000_000, 0]}, "x", "too many values"),
        ({"unsupported": "set"}, "x", "must be one of"),
    ],
)
def test_a_fault_is_told_at_its_place(data: object, where: str, words: str) -> None:
    """The error names the entry, so that a page can mark it."""
    with pytest.raises(Invalid) as caught:
        typed.value(data, "x")
    [error] = caught.value.errors
    assert error.where == where
    assert words in error.message


@given(SUPPORTED)
def test_all_that_is_given_as_json_can_be_sent(value: Value) -> None:
    """Samples that the API shows are custom input as they stand: one notation, not two."""
    given_out = json.loads(json.dumps(to_json(value), allow_nan=False))
    assert same(typed.value(given_out), value)


def test_deep_and_large_data_end_early() -> None:
    """A bomb is refused by count, not by running out of stack or memory."""
    deep: list[Any] = []
    for _ in range(500):
        deep = [deep]
    with pytest.raises(Invalid, match="nested deeper"):
        typed.value(deep)
    with pytest.raises(Invalid, match="too many"):
        typed.value([0] * 1001, nodes=1000)
    with pytest.raises(Invalid, match="too many"):
        typed.value({"array": [0.0] * 1001}, nodes=1000)
    with pytest.raises(Invalid, match="32 axes"):
        typed.value({"array": deep})


def test_keys_may_be_integers_of_any_size_but_not_thousands_of_one_hash() -> None:
    """Python writes out no integer of thousands of digits, and a dict of one hash takes for ever."""
    long = {"int": hex(10**9000)}
    assert typed.value({"dict": [[long, 1.0]]}) == {10**9000: 1.0}
    with pytest.raises(Invalid, match="an integer of about 9001 digits is there twice"):
        typed.value({"dict": [[long, 1.0], [long, 2.0]]})
    with pytest.raises(Invalid, match="too many keys of one hash"):
        typed.value({"dict": [[n * (2**61 - 1), 1.0] for n in range(100)]})
