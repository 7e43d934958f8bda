"""What is said about numbers and texts, word for word."""

from __future__ import annotations

import numpy as np

from app.compare import compare
from app.contract import Contract, Dict, DictOf, Leaf, ListOf, Tuple
from app.model import Value
from tests.test_compare import (
    ARRAY,
    BOOLEAN,
    CLIPPED,
    INTEGER,
    LIKE,
    NESTED,
    NINE,
    NUMBER,
    PAIR,
    ROUNDED,
    STRING,
)

# (what is returned, the contract, the answer, the message, the summary that fits a secret test)
SAID: list[tuple[Value, Contract, Value, str, str]] = [
    (
        {"a": [1.0, 9.0]},
        Dict((("a", ListOf(NUMBER)),)),
        {"a": [1.0, 2.0]},
        "1 of 2 numbers is wrong, at a[1]: 9.0 instead of 2.0, off by 7, allowed 2e-09",
        'in "a": wrong value',
    ),
    (
        {"a b": [1.0, 9.0]},
        Dict((("a b", ListOf(NUMBER)),)),
        {"a b": [1.0, 2.0]},
        "1 of 2 numbers is wrong, at ['a b'][1]: 9.0 instead of 2.0, off by 7, allowed 2e-09",
        'in "a b": wrong value',
    ),
    (
        {"a": {"b": 9.0}},
        Dict((("a", Dict((("b", NUMBER),))),)),
        {"a": {"b": 1.0}},
        "a['b'] is 9.0, expected 1.0: off by 8, allowed 1e-09",
        'in "a", "b": wrong value',
    ),
    (
        {"a": (1.0, 9.0)},
        Dict((("a", Tuple((NUMBER, NUMBER))),)),
        {"a": (1.0, 2.0)},
        "1 of 2 numbers is wrong, at a[1]: 9.0 instead of 2.0, off by 7, allowed 2e-09",
        'in "a", the second item: wrong value',
    ),
    (
        (1.0,) * 6 + (2.0,),
        Tuple((NUMBER,) * 7),
        (1.0,) * 7,
        "1 of 7 numbers is wrong, at [6]: 2.0 instead of 1.0, off by 1, allowed 1e-09",
        "in a later item: wrong value",
    ),
    (
        (1.0,) * 5 + (2.0, 1.0),
        Tuple((NUMBER,) * 7),
        (1.0,) * 7,
        "1 of 7 numbers is wrong, at [5]: 2.0 instead of 1.0, off by 1, allowed 1e-09",
        "in the sixth item: wrong value",
    ),
    (
        (1.0,) * 4 + (2.0, 1.0, 1.0),
        Tuple((NUMBER,) * 7),
        (1.0,) * 7,
        "1 of 7 numbers is wrong, at [4]: 2.0 instead of 1.0, off by 1, allowed 1e-09",
        "in the fifth item: wrong value",
    ),
    (
        (1.0,) * 3 + (2.0, 1.0, 1.0, 1.0),
        Tuple((NUMBER,) * 7),
        (1.0,) * 7,
        "1 of 7 numbers is wrong, at [3]: 2.0 instead of 1.0, off by 1, allowed 1e-09",
        "in the fourth item: wrong value",
    ),
    (
        {3: 9.0},
        DictOf(NUMBER),
        {3: 1.0},
        "[3] is 9.0, expected 1.0: off by 8, allowed 1e-09",
        "wrong value",
    ),
    (
        {"w": [1.0, 9.0]},
        DictOf(NESTED),
        {"w": [1.0, 2.0]},
        "1 of 2 numbers is wrong, at w[1]: 9.0 instead of 2.0, off by 7, allowed 2e-09",
        "wrong value",
    ),
    (
        [{"w": 9.0}],
        ListOf(DictOf(NUMBER)),
        [{"w": 1.0}],
        "[0]['w'] is 9.0, expected 1.0: off by 8, allowed 1e-09",
        "wrong value",
    ),
    (
        [[[1.0, 2.0], [3.0, 9.0]]],
        NESTED,
        [[[1.0, 2.0], [3.0, 4.0]]],
        "1 of 4 numbers is wrong, at [0][1][1]: 9.0 instead of 4.0, off by 5, allowed 4e-09",
        "wrong value",
    ),
    (
        np.array([[[1.0, 2.0], [3.0, 9.0]]]),
        ARRAY,
        np.array([[[1.0, 2.0], [3.0, 4.0]]]),
        "1 of 4 numbers is wrong, at [0, 1, 1]: 9.0 instead of 4.0, off by 5, allowed 4e-09",
        "wrong value",
    ),
    (
        np.array(9.0),
        ARRAY,
        np.array(1.0),
        "9.0 was returned, expected 1.0: off by 8, allowed 1e-09",
        "wrong value",
    ),
    (9.0, NESTED, 1.0, "9.0 was returned, expected 1.0: off by 8, allowed 1e-09", "wrong value"),
    (
        [np.nan, 1.0, np.nan],
        NESTED,
        [1.0] * 3,
        "NaN at [0] and 1 more place, expected 1.0",
        "NaN where a number is expected",
    ),
    (
        [np.nan] * 3,
        NESTED,
        [1.0] * 3,
        "NaN at [0] and 2 more places, expected 1.0",
        "NaN where a number is expected",
    ),
    (
        [np.inf, 1.0],
        NESTED,
        [1.0, 1.0],
        "∞ at [0], expected 1.0",
        "an infinity where a number is expected",
    ),
    (
        [-np.inf, 1.0],
        NESTED,
        [1.0, 1.0],
        "-∞ at [0], expected 1.0",
        "an infinity where a number is expected",
    ),
    (
        np.array(-np.inf),
        ARRAY,
        np.array(1.0),
        "-∞ was returned, expected 1.0",
        "an infinity where a number is expected",
    ),
    (
        [1.0],
        NESTED,
        [-np.inf],
        "1.0 at [0], expected -∞",
        "a number where NaN or an infinity is expected",
    ),
    (
        (CLIPPED, np.inf),
        PAIR,
        (CLIPPED, np.nan),
        "∞ at [1], expected NaN",
        "in the second item: NaN or an infinity of the wrong kind",
    ),
    (
        np.array([True, False]),
        Leaf("array", dtype_kinds="b"),
        np.array([True, True]),
        "1 of 2 numbers is wrong, at [1]: False instead of True",
        "wrong value",
    ),
    (
        np.array([False]),
        Leaf("array", dtype_kinds="b"),
        np.array([True]),
        "[0] is False, expected True",
        "wrong value",
    ),
    (
        [False, False],
        ListOf(BOOLEAN),
        [True, True],
        "2 of 2 numbers are wrong, the first at [0]: False instead of True",
        "wrong value",
    ),
    (
        2.0,
        Leaf("number", rtol=0.1, atol=0.2),
        1.0,
        "2.0 was returned, expected 1.0: off by 1, allowed 0.3",
        "wrong value",
    ),
    (
        10**400,
        NUMBER,
        1.0,
        "the result is an integer beyond the range of float64",
        "an integer beyond the range of float64",
    ),
    (
        (10**400,),
        Tuple((NUMBER,)),
        (1.0,),
        "[0] is an integer beyond the range of float64",
        "in the first item: an integer beyond the range of float64",
    ),
    (
        [1.0, -(10**400)],
        LIKE,
        [1.0, 2.0],
        "[1] is an integer beyond the range of float64",
        "an integer beyond the range of float64",
    ),
    (
        [[1, -(10**400)]],
        LIKE,
        np.ones((1, 2)),
        "[0][1] is an integer beyond the range of float64",
        "an integer beyond the range of float64",
    ),
    (
        {"a": [10**400]},
        Dict((("a", NESTED),)),
        {"a": [1.0]},
        "a[0] is an integer beyond the range of float64",
        'in "a": an integer beyond the range of float64',
    ),
    (
        10**400,
        INTEGER,
        2**63,
        "an integer of about 401 digits was returned, expected 9223372036854775808: off by inf, allowed 0",
        "wrong value",
    ),
    (
        2**70,
        INTEGER,
        5,
        "1180591620717411303424 was returned, expected 5: off by 1.18e+21, allowed 0",
        "wrong value",
    ),
    ("ab", STRING, "cd", "'ab' was returned, 'cd' expected", "not the expected text"),
    (
        {"s": "ab"},
        Dict((("s", STRING),)),
        {"s": "cd"},
        "s: 'ab' was returned, 'cd' expected",
        'in "s": not the expected text',
    ),
    (
        1 / 3,
        ROUNDED,
        1 / 3,
        "0.3333333333333333 was returned, not rounded to 7 places",
        "not rounded to the places asked for",
    ),
    (
        [1 / 3, 1 / 7, 0.0],
        ListOf(ROUNDED),
        [1 / 3, 1 / 7, 0.0],
        "2 numbers are not rounded to 7 places, the first at [0]: 0.3333333333333333",
        "not rounded to the places asked for",
    ),
    (
        1 / 3,
        Leaf("number", round=1),
        1 / 3,
        "0.3333333333333333 was returned, not rounded to 1 place",
        "not rounded to the places asked for",
    ),
    (
        {"a": 1 / 3},
        Dict((("a", ROUNDED),)),
        {"a": 1 / 3},
        "a is 0.3333333333333333, not rounded to 7 places",
        'in "a": not rounded to the places asked for',
    ),
    (
        123.0,
        Leaf("number", round=-1),
        123.0,
        "123.0 was returned, not rounded to -1 places",
        "not rounded to the places asked for",
    ),
    (
        {"a": {"w": 9.0}},
        Dict((("a", DictOf(NUMBER)),)),
        {"a": {"w": 1.0}},
        "a['w'] is 9.0, expected 1.0: off by 8, allowed 1e-09",
        'in "a": wrong value',
    ),
]


def test_what_is_said_of_numbers() -> None:
    """How many are wrong of how many, the first of them, and by how much."""
    for value, contract, answer, message, summary in SAID:
        mismatch = compare(value, contract, answer, NINE)
        assert mismatch is not None, value
        assert (mismatch.message, mismatch.summary) == (message, summary)
