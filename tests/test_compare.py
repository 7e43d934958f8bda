"""The comparator: what is an answer, what is not, and what is said about it."""

from __future__ import annotations

import math
import time
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from app.closeness import allowed_for, examine
from app.compare import Misfit, compare
from app.contract import AnySequence, Contract, Dict, DictOf, Leaf, List, ListOf, Tolerance, Tuple
from app.model import Mismatch, Unsupported, Value

NUMBER, INTEGER, BOOLEAN, STRING = map(Leaf, ("number", "integer", "boolean", "string"))  # type: ignore[arg-type]
ARRAY, NESTED, LIKE = Leaf("array"), Leaf("nested_list"), Leaf("array_like")
ROUNDED = Leaf("number", round=7)
PAIR = Tuple((ListOf(ARRAY), NUMBER))
FIELDS = Dict((("clipped_gradients", ListOf(LIKE)), ("global_norm", ROUNDED)))
NINE = Tolerance(1e-9, 0.0)
EXACT = Tolerance(0.0, 0.0)


def array(*numbers: Any) -> np.ndarray[Any, Any]:
    return np.array(numbers, dtype=np.float64)


CLIPPED = [array(0.6, 0.0), array([0.0, 0.8])]

# (what is returned, the contract, the answer); each is the answer.
RIGHT: dict[str, tuple[Value, Contract, Value]] = {
    "an int for a float": (5, NUMBER, 5.0),
    "a float for an int": (5.0, NUMBER, 5),
    "a float64": (np.float64(5.0), NUMBER, 5.0),
    "a float32 that is exact": (np.float32(5), NUMBER, 5.0),
    "a float16 that is exact": (np.float16(5), NUMBER, 5.0),
    "an int64": (np.int64(5), NUMBER, 5.0),
    "a uint8": (np.uint8(5), NUMBER, 5.0),
    "a 0-d array": (np.array(5.0), NUMBER, 5.0),
    "a number for an array of shape ()": (1.5, ARRAY, np.array(1.5)),
    "a NumPy scalar for an array of shape ()": (np.array(3.0) * 0.5, ARRAY, np.array(1.5)),
    "a number for a nested list of shape ()": (1.5, NESTED, np.array(1.5)),
    "minus zero": (-0.0, NUMBER, 0.0),
    "one ulp off, deep in lists": ([[0.1, math.nextafter(0.2, 1)]], NESTED, array([0.1, 0.2])),
    "the edge itself": (1.5, NUMBER, 1.0),
    "nan where nan is the answer": (array(1, np.nan), ARRAY, array(1, np.nan)),
    "minus nan": (-np.nan, NUMBER, np.nan),
    "the same infinity": ([np.inf, -np.inf], NESTED, array(np.inf, -np.inf)),
    "a tuple of arrays and lists": ((array(1, 2), [3, 4]), LIKE, array([1, 2], [3, 4])),
    "a list of arrays": ([array(1, 2), array(3, 4)], LIKE, array([1, 2], [3, 4])),
    "a list of 0-d arrays": ([np.array(1.0), np.array(2.0)], NESTED, array(1, 2)),
    "NumPy scalars in a list": ([np.float64(1), np.int64(2)], NESTED, array(1, 2)),
    "floats for an integer array": (array(1, 2), ARRAY, np.array([1, 2])),
    "an empty array": (np.zeros((0, 3)), ARRAY, np.zeros((0, 3))),
    "an empty nested list": ([[], []], NESTED, np.zeros((2, 0, 3))),
    "an empty list": ([], ListOf(ARRAY), []),
    "an empty list of numbers": ([], ListOf(NUMBER), []),
    "a big integer": (2**80, INTEGER, 2**80),
    "a big integer for its float": (2**80, NUMBER, 2.0**80),
    "integers beyond 64 bits": ([2**80, 3], NESTED, [2**80, 3]),
    "a bool": (np.bool_(True), BOOLEAN, True),
    "an array of bools": (np.array([True]), Leaf("array", dtype_kinds="b"), np.array([True])),
    "a text": ("patience", STRING, "patience"),
    "any sequence": ((1.0, 2.0), AnySequence(NUMBER), [1.0, 2.0]),
    "a dict of anything": ({"w": [1.0], 3: [2.0]}, DictOf(LIKE), {"w": [1.0], 3: [2.0]}),
    "a pair": ((CLIPPED, 5), PAIR, (CLIPPED, 5.0)),
    "a dict in another order": (
        {"global_norm": 5.0, "clipped_gradients": CLIPPED},
        FIELDS,
        {"clipped_gradients": CLIPPED, "global_norm": 5.0},
    ),
}

# (what is returned, the contract, the answer, kind of mismatch, its message)
WRONG: dict[str, tuple[Value, Contract, Value, str, str]] = {
    "a list for a tuple": (
        [CLIPPED, 5.0],
        PAIR,
        (CLIPPED, 5.0),
        "form",
        "a list was returned, a tuple is asked for (the numbers are right)",
    ),
    "a tuple for a list": (
        (CLIPPED, 5.0),
        List(PAIR.items),
        [CLIPPED, 5.0],
        "form",
        "a tuple was returned, a list is asked for (the numbers are right)",
    ),
    "wrong numbers in a list for a tuple": (
        [CLIPPED, 4.0],
        PAIR,
        (CLIPPED, 5.0),
        "form",
        "a list was returned, a tuple is asked for",
    ),
    "a list for an array": (
        [0.6],
        ARRAY,
        array(0.6),
        "form",
        "a list was returned, a NumPy array is asked for (the numbers are right)",
    ),
    "an array for a list": (
        array(0.6),
        NESTED,
        array(0.6),
        "form",
        "a NumPy array was returned, a list is asked for (the numbers are right)",
    ),
    "a tuple inside a list": (
        [[1], (2,)],
        NESTED,
        array([1], [2]),
        "form",
        "[1]: a tuple was returned, a list is asked for (the numbers are right)",
    ),
    "an array inside a list": (
        [array(1), array(2)],
        NESTED,
        array([1], [2]),
        "form",
        "[0]: a NumPy array was returned, a list is asked for (the numbers are right)",
    ),
    "nothing": (
        None,
        PAIR,
        (CLIPPED, 5.0),
        "form",
        "None was returned, a tuple is asked for; does every path through your function end in `return`?",
    ),
    "nothing in place of an array": (
        ([CLIPPED[0], None], 5.0),
        PAIR,
        (CLIPPED, 5.0),
        "form",
        "[0][1]: None was returned, a NumPy array is asked for",
    ),
    "a number in a list": (
        [5.0],
        NUMBER,
        5.0,
        "form",
        "a list was returned, a number is asked for (the numbers are right)",
    ),
    "a dict for a number": (
        {"norm": 5.0},
        NUMBER,
        5.0,
        "form",
        "a dict was returned, a number is asked for",
    ),
    "no arrays": (
        ([], 5.0),
        PAIR,
        (CLIPPED, 5.0),
        "structure",
        "[0]: 2 arrays expected, 0 returned",
    ),
    "an empty array": (array(), ARRAY, array(0.6), "structure", "1 number expected, 0 returned"),
    "an array of one for a number": (
        array(5.0),
        NUMBER,
        5.0,
        "structure",
        "a NumPy array of shape (1,) was returned, a single number is expected",
    ),
    "a number for an array of one": (
        5.0,
        ARRAY,
        array(5.0),
        "structure",
        "a single number was returned, shape (1,) is expected",
    ),
    "a column for a vector": (
        array([1], [2]),
        ARRAY,
        array(1, 2),
        "structure",
        "a NumPy array of shape (2, 1) was returned, shape (2,) is expected",
    ),
    "one row that would broadcast": (
        array([1, 1]),
        ARRAY,
        array([1, 1], [1, 1]),
        "structure",
        "a NumPy array of shape (1, 2) was returned, shape (2, 2) is expected",
    ),
    "empty of another shape": (
        np.zeros((0, 3)),
        ARRAY,
        np.zeros((0, 2)),
        "structure",
        "a NumPy array of shape (0, 3) was returned, shape (0, 2) is expected",
    ),
    "too deep": (
        [[1, 2]],
        NESTED,
        array(1, 2),
        "structure",
        "a list of shape (1, 2) was returned, shape (2,) is expected",
    ),
    "ragged rows": (
        [[1, 2], [3]],
        NESTED,
        array([1, 2], [3, 4]),
        "structure",
        "a ragged list was returned: [0] has 2 items, [1] has 1 item",
    ),
    "ragged depths": (
        [1, [2]],
        NESTED,
        array(1, 2),
        "structure",
        "a ragged list was returned: [0] is a single value, [1] has 1 item",
    ),
    "a tuple of three": (
        (CLIPPED, 5.0, 1),
        PAIR,
        (CLIPPED, 5.0),
        "structure",
        "a tuple of 2 items expected, 3 returned",
    ),
    "a missing key": (
        {"clipped_gradients": []},
        FIELDS,
        {"clipped_gradients": [], "global_norm": 0.0},
        "structure",
        'missing key "global_norm"',
    ),
    "a misspelt key": (
        {"clipped_gradients": [], "global_nrom": 0.0},
        FIELDS,
        {"clipped_gradients": [], "global_norm": 0.0},
        "structure",
        'missing key "global_norm"; you returned "global_nrom"',
    ),
    "a key too many": (
        {"a": 1.0, "b": 2.0},
        Dict((("a", NUMBER),)),
        {"a": 1.0},
        "structure",
        'unexpected key "b"',
    ),
    "a key of the answer missing": ({}, DictOf(NUMBER), {"w": 1.0}, "structure", 'missing key "w"'),
    "a bool for a number": (
        True,
        NUMBER,
        1.0,
        "type",
        "a bool was returned, a number is asked for",
    ),
    "a NumPy bool for a number": (
        np.bool_(True),
        NUMBER,
        1.0,
        "type",
        "a NumPy bool was returned, a number is asked for",
    ),
    "a number for a bool": (1, BOOLEAN, True, "type", "an int was returned, a bool is asked for"),
    "an array of bools": (
        np.array([True]),
        ARRAY,
        array(1),
        "type",
        "an array of dtype bool was returned, numbers are asked for",
    ),
    "a bool among numbers": (
        [[1.0, True]],
        NESTED,
        array([1, 1]),
        "type",
        "[0][1]: a bool was returned, a number is asked for",
    ),
    "a bool in a list of numbers": (
        [1.0, True],
        ListOf(NUMBER),
        [1.0, 1.0],
        "type",
        "[1]: a bool was returned, a number is asked for",
    ),
    "a complex number": (
        5 + 0j,
        NUMBER,
        5.0,
        "type",
        "a complex number was returned, a number is asked for",
    ),
    "a complex array": (
        np.array([5 + 0j]),
        ARRAY,
        array(5),
        "type",
        "an array of dtype complex128 was returned, numbers are asked for",
    ),
    "a text for a number": (
        "5.0",
        NUMBER,
        5.0,
        "type",
        "a string was returned, a number is asked for",
    ),
    "text among numbers": (
        [1.0, "2"],
        NESTED,
        array(1, 2),
        "type",
        "[1]: a string was returned, a number is asked for",
    ),
    "nothing among numbers": (
        [1.0, None],
        NESTED,
        array(1, 2),
        "type",
        "[1]: None was returned, a number is asked for",
    ),
    "a generator": (
        Unsupported("generator"),
        PAIR,
        (CLIPPED, 5.0),
        "type",
        "a value of type generator was returned, a tuple is asked for",
    ),
    "an object that equals everything": (
        (CLIPPED, Unsupported("Eq")),
        PAIR,
        (CLIPPED, 5.0),
        "type",
        "[1]: a value of type Eq was returned, a number is asked for",
    ),
    "a float for an integer": (
        3.0,
        INTEGER,
        3,
        "type",
        "a float was returned, an integer is asked for",
    ),
    "an int array where floats are asked for": (
        np.array([1]),
        Leaf("array", dtype_kinds="f"),
        array(1),
        "type",
        "an array of dtype int64 was returned, floats are asked for",
    ),
    "an int where a float is asked for": (
        [1, 2.5],
        Leaf("nested_list", dtype_kinds="f"),
        array(1, 2.5),
        "type",
        "[0]: an int was returned, a float is asked for",
    ),
    "all nan": (
        array(np.nan, np.nan),
        ARRAY,
        array(1, 2),
        "non_finite",
        "NaN at [0] and 1 more place, expected 1.0",
    ),
    "nan deep in lists": (
        [[1, 2, np.nan]],
        NESTED,
        array([1, 2, 3]),
        "non_finite",
        "NaN at [0][2], expected 3.0",
    ),
    "a number for nan": (1.0, NUMBER, np.nan, "non_finite", "1.0 was returned, expected NaN"),
    "infinity": (np.inf, NUMBER, 1e308, "non_finite", "∞ was returned, expected 1e+308"),
    "the other infinity": (-np.inf, NUMBER, np.inf, "non_finite", "-∞ was returned, expected ∞"),
    "nan for infinity": (np.nan, NUMBER, np.inf, "non_finite", "NaN was returned, expected ∞"),
    "a wrong number": (
        4.9,
        NUMBER,
        5.0,
        "value",
        "4.9 was returned, expected 5.0: off by 0.1, allowed 5e-09",
    ),
    "zeros for small gradients": (
        np.zeros(3),
        ARRAY,
        np.full(3, 1e-9),
        "value",
        "3 of 3 numbers are wrong, the first at [0]: 0.0 instead of 1e-09, off by 1e-09, allowed 1e-18",
    ),
    "one in a matrix": (
        array([0, 0.7]),
        ARRAY,
        array([0, 0.8]),
        "value",
        "1 of 2 numbers is wrong, at [0, 1]: 0.7 instead of 0.8, off by 0.1, allowed 8e-10",
    ),
    "an integer beyond float": (
        [1, 10**400],
        NESTED,
        array(1, 2),
        "value",
        "[1] is an integer beyond the range of float64",
    ),
    "an integer beyond float for infinity": (
        10**400,
        NUMBER,
        np.inf,
        "value",
        "the result is an integer beyond the range of float64",
    ),
    "another big integer": (
        2**80 + 1,
        INTEGER,
        2**80,
        "value",
        "1208925819614629174706177 was returned, expected 1208925819614629174706176: off by 1, allowed 0",
    ),
    "another integer beyond 2^53": (
        np.int64(2**53 + 1),
        INTEGER,
        2**53,
        "value",
        "9007199254740993 was returned, expected 9007199254740992: off by 1, allowed 0",
    ),
    "integers that would wrap": (
        np.array([-(2**63)]),
        ARRAY,
        np.array([2**63 - 1]),
        "value",
        "[0] is -9223372036854775808, expected 9223372036854775807: off by 1.84e+19, allowed 9.22e+09",
    ),
    "unsigned integers that would wrap": (
        np.array([1], np.uint8),
        ARRAY,
        np.array([2]),
        "value",
        "[0] is 1, expected 2: off by 1, allowed 2e-09",
    ),
    "a difference beyond float": (
        -1.7e308,
        NUMBER,
        1.7e308,
        "value",
        "-1.7e+308 was returned, expected 1.7e+308: off by inf, allowed 1.7e+299",
    ),
    "another bool": (False, BOOLEAN, True, "value", "False was returned, expected True"),
    "another text": (
        "overfit",
        STRING,
        "patience",
        "value",
        "'overfit' was returned, 'patience' expected",
    ),
    "not rounded": (
        math.sqrt(2),
        ROUNDED,
        math.sqrt(2),
        "rounding",
        "1.4142135623730951 was returned, not rounded to 7 places",
    ),
    "rounded too early": (
        1.41421,
        ROUNDED,
        math.sqrt(2),
        "value",
        "1.41421 was returned, expected 1.4142136: off by 3.56e-06, allowed 5e-08",
    ),
    "a list not rounded": (
        [1 / 3, 0.5],
        ListOf(ROUNDED),
        [1 / 3, 0.5],
        "rounding",
        "[0] is 0.3333333333333333, not rounded to 7 places",
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_answer_is_accepted_in_every_type_it_may_come_in(name: str) -> None:
    """Each entry of the table is the answer, within a tolerance of 1e-9 (0.5 for the edge)."""
    value, contract, answer = RIGHT[name]
    tolerance = Tolerance(0.5, 0.0) if name == "the edge itself" else NINE
    assert compare(value, contract, answer, tolerance) is None


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_answer_gets_its_kind_and_one_line_that_says_why(name: str) -> None:
    """Each entry of the table is refused by the rule it names, in words that name the place."""
    value, contract, answer, kind, words = WRONG[name]
    mismatch = compare(value, contract, answer, NINE)
    assert mismatch is not None
    assert mismatch.kind == kind
    assert mismatch.message == words
    assert "\n" not in mismatch.message


@pytest.mark.parametrize("name", WRONG)
def test_a_summary_holds_no_number_no_index_and_no_name_of_the_learners(name: str) -> None:
    """What a secret test shows could have been written without seeing the test."""
    value, contract, answer, _, _ = WRONG[name]
    mismatch = compare(value, contract, answer, NINE)
    assert mismatch is not None
    without_dtypes = mismatch.summary.replace("float64", "").replace("int64", "")
    without_dtypes = without_dtypes.replace("complex128", "")
    assert not any(letter.isdigit() for letter in without_dtypes)
    assert "[" not in mismatch.summary
    assert "Eq" not in mismatch.summary
    assert "nrom" not in mismatch.summary
    assert '"w"' not in mismatch.summary


@pytest.mark.parametrize(
    ("value", "summary"),
    [
        (([array(1.0), array(1.0)], 5.0), "in the first item: wrong shape"),
        ((CLIPPED[:1], 5.0), "in the first item: the wrong number of arrays"),
        (([CLIPPED[0], array([0.0, 0.9])], 5.0), "in the first item: wrong value"),
        (
            ([CLIPPED[0], array([0.0, np.inf])], 5.0),
            "in the first item: an infinity where a number is expected",
        ),
        ((CLIPPED, np.nan), "in the second item: NaN where a number is expected"),
        ((CLIPPED, 4.0), "in the second item: wrong value"),
        ((CLIPPED, 1 / 3), "in the second item: wrong value"),
        ((CLIPPED, "5"), "in the second item: a string was returned, a number is asked for"),
        ((CLIPPED, [5.0]), "in the second item: a list was returned, a number is asked for"),
        ([CLIPPED, 5.0], "a list was returned, a tuple is asked for"),
        ((CLIPPED,), "the wrong number of items"),
    ],
)
def test_a_summary_names_the_part_of_the_contract_that_is_wrong(value: Value, summary: str) -> None:
    """In words of the statement, which a secret test may show."""
    mismatch = compare(value, PAIR, (CLIPPED, 5.0), NINE)
    assert mismatch is not None
    assert mismatch.summary == summary


@pytest.mark.parametrize(
    ("value", "answer", "summary"),
    [
        (1.0, np.nan, "a number where NaN or an infinity is expected"),
        (1.0, np.inf, "a number where NaN or an infinity is expected"),
        (np.nan, 1.0, "NaN where a number is expected"),
        (np.nan, np.inf, "NaN or an infinity of the wrong kind"),
        (np.nan, -np.inf, "NaN or an infinity of the wrong kind"),
        (np.inf, -np.inf, "NaN or an infinity of the wrong kind"),
        (-np.inf, np.nan, "NaN or an infinity of the wrong kind"),
        (1.0, -np.inf, "a number where NaN or an infinity is expected"),
    ],
)
def test_a_summary_names_what_is_not_a_number(value: Value, answer: Value, summary: str) -> None:
    """Which of the two is no number, the learner's value or the answer, and not which number."""
    mismatch = compare(value, NUMBER, answer, NINE)
    assert mismatch is not None
    assert mismatch.summary == summary


@pytest.mark.parametrize(("place", "part"), [(0, "first"), (1, "second"), (2, "third")])
@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (np.nan, "NaN where a number is expected"),
        (9.0, "wrong value"),
        (1 / 3, "not rounded to the places asked for"),
    ],
)
def test_a_summary_names_the_part_in_which_the_first_wrong_number_is(
    place: int, part: str, wrong: float, words: str
) -> None:
    """Also where parts have one leaf and are looked at together."""
    contract, answer = Tuple((ROUNDED,) * 4), (1 / 3,) * 4
    rounded = [0.3333333] * 4
    rounded[place] = rounded[3] = wrong
    mismatch = compare(tuple(rounded), contract, answer, NINE)
    assert mismatch is not None
    assert mismatch.summary == f"in the {part} item: {words}"
    assert mismatch.path == f"[{place}]"


def test_the_allowed_error_of_the_most_negative_integer_is_positive() -> None:
    """An int64 has no such absolute value; the number that it stands for has."""
    mismatch = compare(np.array([0]), ARRAY, np.array([-(2**63)]), NINE)
    assert mismatch is not None
    assert mismatch.differences[0].error == 2.0**63
    assert mismatch.differences[0].allowed == 2.0**63 * 1e-9


def test_a_message_of_rounding_tells_the_places_of_the_first_number() -> None:
    """Where parts ask for different places, those of the part that it names."""
    contract = Tuple((Leaf("number", round=1), Leaf("number", round=5)))
    for value, words, part in (
        ((1 / 3, 1 / 3), "2 numbers are not rounded to 1 place, the first at [0]: 0.333", "first"),
        ((0.3, 1 / 3), "[1] is 0.3333333333333333, not rounded to 5 places", "second"),
    ):
        mismatch = compare(value, contract, (1 / 3, 1 / 3), NINE)
        assert mismatch is not None
        assert mismatch.message.startswith(words)
        assert mismatch.summary.startswith(f"in the {part} item: ")


def test_a_summary_of_rounding_names_the_key_and_not_the_places() -> None:
    """The places stand in the statement."""
    answer = {"clipped_gradients": [], "global_norm": math.sqrt(2)}
    mismatch = compare(answer, FIELDS, answer, NINE)
    assert mismatch is not None
    assert mismatch.summary == 'in "global_norm": not rounded to the places asked for'


def test_only_right_numbers_in_the_wrong_container_are_called_right() -> None:
    """A learner who is told so looks no further for an error in the numbers."""
    for value, praised in (([CLIPPED, 5.0], True), ([CLIPPED, 4.0], False), ([CLIPPED], False)):
        mismatch = compare(value, PAIR, (CLIPPED, 5.0), NINE)
        assert mismatch is not None
        assert mismatch.kind == "form"
        assert mismatch.message.endswith("(the numbers are right)") is praised


def test_the_first_broken_rule_names_the_mismatch() -> None:
    """Container before structure before type before non-finite before value before rounding."""
    contract = Tuple((ARRAY, ARRAY, NUMBER, NUMBER, NUMBER, ROUNDED))
    answer = (array(1), array(1, 2), 1.0, 1.0, 1.0, 1 / 3)
    steps: list[tuple[Value, str]] = [
        (([1.0], array(1), True, np.nan, 2.0, 1 / 3), "form"),
        ((array(1), array(1), True, np.nan, 2.0, 1 / 3), "structure"),
        ((array(1), array(1, 2), True, np.nan, 2.0, 1 / 3), "type"),
        ((array(1), array(1, 2), 1.0, np.nan, 2.0, 1 / 3), "non_finite"),
        ((array(1), array(1, 2), 1.0, 1.0, 2.0, 1 / 3), "value"),
        ((array(1), array(1, 2), 1.0, 1.0, 1.0, 1 / 3), "rounding"),
    ]
    for value, kind in steps:
        mismatch = compare(value, contract, answer, NINE)
        assert mismatch is not None
        assert mismatch.kind == kind
    assert compare((*steps[-1][0][:5], 0.3333333), contract, answer, NINE) is None  # type: ignore[index]


def test_differences_are_the_first_five_with_their_count_and_the_largest() -> None:
    """Over all leaves; the largest may be beyond the first five, and paths say where each is."""
    got, want = np.zeros((40_000, 2)), np.zeros((40_000, 2))
    got[::5_000, 1] = 1.0
    got[39_999, 0] = -7.0
    mismatch = compare(([got, array(3.0)], 5.0), PAIR, ([want, array(1.0)], 5.0), NINE)
    assert mismatch is not None
    assert mismatch.count == 10
    assert [item.path for item in mismatch.differences] == [
        "[0][0][0, 1]",
        "[0][0][5000, 1]",
        "[0][0][10000, 1]",
        "[0][0][15000, 1]",
        "[0][0][20000, 1]",
    ]
    assert mismatch.largest is not None
    assert (mismatch.largest.path, mismatch.largest.error) == ("[0][0][39999, 0]", 7.0)
    assert (mismatch.largest.got, mismatch.largest.want, mismatch.largest.allowed) == (
        "-7.0",
        "0.0",
        0.0,
    )


def test_an_expected_number_is_shown_rounded_where_rounding_is_asked_for() -> None:
    """Nobody has to guess why 1.41421 differs from 1.4142135623730951 at 7 places."""
    mismatch = compare(1.41421, ROUNDED, math.sqrt(2), NINE)
    assert mismatch is not None
    assert [(item.got, item.want) for item in mismatch.differences] == [("1.41421", "1.4142136")]


@pytest.mark.parametrize("places", range(6, 17))
def test_digits_are_not_counted_where_no_rounding_is_asked_for(places: int) -> None:
    """An answer with few digits accepts the exact number, and the other way round."""
    exact, written = math.sqrt(2), round(math.sqrt(2), places)
    tolerance = Tolerance(5e-7, 0.0)
    assert compare(exact, NUMBER, written, tolerance) is None
    assert compare(written, NUMBER, exact, tolerance) is None


def test_a_leaf_of_its_own_tolerance_does_not_use_the_variants() -> None:
    """Both bounds can be overridden; integers count exactly unless their leaf says otherwise."""
    assert compare(1.1, Leaf("number", rtol=0.2), 1.0, EXACT) is None
    assert compare(1.1, Leaf("number", atol=0.2), 1.0, EXACT) is None
    assert compare(1.1, Leaf("number", rtol=0.0), 1.0, Tolerance(0.2, 0.0)) is not None
    assert compare(11, INTEGER, 10, Tolerance(0.5, 5.0)) is not None
    assert compare(False, BOOLEAN, True, Tolerance(0.5, 5.0)) is not None
    assert compare(11, Leaf("integer", atol=1.0), 10, EXACT) is None


@pytest.mark.parametrize(
    ("contract", "answer"),
    [
        (PAIR, CLIPPED[0]),
        (PAIR, (CLIPPED,)),
        (PAIR, [CLIPPED, 5.0]),
        (List(PAIR.items), (CLIPPED, 5.0)),
        (ListOf(ARRAY), tuple(CLIPPED)),
        (FIELDS, {"clipped_gradients": []}),
        (FIELDS, 5.0),
        (ListOf(ARRAY), 5.0),
        (ARRAY, [[1.0], [1.0, 2.0]]),
        (NUMBER, "5"),
        (STRING, 5.0),
    ],
)
def test_an_answer_that_breaks_its_own_contract_is_our_fault(
    contract: Contract, answer: Value
) -> None:
    """It raises: a broken package must not become a learner's wrong answer."""
    with pytest.raises(Misfit):
        compare(_like_contract(contract), contract, answer, NINE)


def _like_contract(contract: Contract) -> Value:
    match contract:
        case Tuple():
            return (CLIPPED, 5.0)
        case List():
            return [CLIPPED, 5.0]
        case Dict():
            return {"clipped_gradients": [], "global_norm": 5.0}
        case ListOf():
            return CLIPPED
        case _:
            return 5.0


# --- Properties ---------------------------------------------------------------------------------

FINITE = st.floats(allow_nan=False, allow_infinity=False)
ANY = st.floats()
SHAPES = hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
FLOAT_ARRAYS = hnp.arrays(np.float64, SHAPES, elements=ANY)
BOUNDS = st.sampled_from([0.0, 1e-15, 1e-12, 1e-9, 1e-6, 0.5])


def _leaves() -> st.SearchStrategy[tuple[Contract, Value]]:
    integers = hnp.arrays(np.int64, SHAPES)
    return st.one_of(
        st.tuples(st.just(NUMBER), ANY | st.integers() | FINITE.map(np.float64)),
        st.tuples(st.just(INTEGER), st.integers()),
        st.tuples(st.just(BOOLEAN), st.booleans()),
        st.tuples(st.just(STRING), st.text()),
        st.tuples(st.just(ARRAY), FLOAT_ARRAYS | integers),
        st.tuples(st.just(LIKE), FLOAT_ARRAYS | FLOAT_ARRAYS.map(lambda a: a.tolist())),
        st.tuples(st.just(NESTED), FLOAT_ARRAYS.map(lambda a: a.tolist())),
    )


def _containers(
    inner: st.SearchStrategy[tuple[Contract, Value]],
) -> st.SearchStrategy[tuple[Contract, Value]]:
    several = st.lists(inner, max_size=3)
    repeated = st.tuples(inner, st.integers(0, 3))
    keys = st.lists(st.text(max_size=5), min_size=3, max_size=3, unique=True)
    return st.one_of(
        several.map(lambda s: (Tuple(tuple(c for c, _ in s)), tuple(v for _, v in s))),
        several.map(lambda s: (List(tuple(c for c, _ in s)), [v for _, v in s])),
        repeated.map(lambda r: (ListOf(r[0][0]), [r[0][1]] * r[1])),
        repeated.map(lambda r: (AnySequence(r[0][0]), (r[0][1],) * r[1])),
        st.tuples(keys, several).map(
            lambda ks: (
                Dict(tuple((k, c) for k, (c, _) in zip(ks[0], ks[1], strict=False))),
                {k: v for k, (_, v) in zip(ks[0], ks[1], strict=False)},
            )
        ),
        repeated.map(lambda r: (DictOf(r[0][0]), dict.fromkeys(range(r[1]), r[0][1]))),
    )


WHOLES = st.recursive(_leaves(), _containers, max_leaves=6)


@given(WHOLES, BOUNDS, BOUNDS)
def test_every_value_is_its_own_answer(
    whole: tuple[Contract, Value], rtol: float, atol: float
) -> None:
    """Reflexive for every kind of value, also with nothing allowed."""
    contract, answer = whole
    assert compare(answer, contract, answer, Tolerance(rtol, atol)) is None


@given(ANY, ANY, BOUNDS, BOUNDS)
def test_the_sign_makes_no_difference(got: float, want: float, rtol: float, atol: float) -> None:
    """-got is as close to -want as got is to want."""
    tolerance = Tolerance(rtol, atol)
    positive = compare(got, NUMBER, want, tolerance)
    negative = compare(-got, NUMBER, -want, tolerance)
    assert (positive is None) == (negative is None)


@given(FINITE, st.floats(-1e-5, 1e-5) | BOUNDS, BOUNDS, BOUNDS, BOUNDS, BOUNDS)
def test_more_tolerance_never_refuses_what_less_accepted(
    want: float, off: float, rtol: float, atol: float, more_rtol: float, more_atol: float
) -> None:
    """Monotone in both bounds, for numbers about as far off as the bounds are wide."""
    for got in (want + want * off, want + off):
        wider = Tolerance(max(rtol, more_rtol), max(atol, more_atol))
        if compare(got, NUMBER, want, wider):
            assert compare(got, NUMBER, want, Tolerance(rtol, atol))


@given(FLOAT_ARRAYS, st.data())
def test_another_shape_is_never_accepted(answer: np.ndarray[Any, Any], data: st.DataObject) -> None:
    """However the same numbers are reshaped, also where NumPy would broadcast."""
    other = data.draw(SHAPES)
    assume(other != answer.shape)
    value = np.resize(answer, other) if answer.size else np.zeros(other)
    mismatch = compare(value, ARRAY, answer, Tolerance(1e300, 1e300))
    assert mismatch is not None
    assert mismatch.kind == "structure"


@given(hnp.arrays(np.float64, SHAPES, elements=FINITE), st.sampled_from("bcSU"))
def test_another_kind_of_number_is_never_accepted(
    answer: np.ndarray[Any, Any], letter: str
) -> None:
    """bool, complex, bytes and text are no numbers, whatever they would convert to."""
    dtype = {"b": np.bool_, "c": np.complex128, "S": np.bytes_, "U": np.str_}[letter]
    mismatch = compare(answer.astype(dtype), ARRAY, answer, Tolerance(1e300, 1e300))
    assert mismatch is not None
    assert mismatch.kind == "type"


@given(
    hnp.arrays(np.float64, st.integers(1, 30), elements=ANY),
    st.sampled_from([np.nan, np.inf, -np.inf, 1.0]),
    st.data(),
)
def test_another_mask_of_non_finite_numbers_is_never_accepted(
    answer: np.ndarray[Any, Any], odd: float, data: st.DataObject
) -> None:
    """NaN only where the answer is NaN, an infinity only where it is the same one."""
    place = data.draw(st.integers(0, answer.size - 1))
    value = answer.copy()
    value[place] = odd
    assume(not (np.isfinite(odd) and np.isfinite(answer[place])))
    assume(not np.array_equal(value, answer, equal_nan=True))
    mismatch = compare(value, ARRAY, answer, Tolerance(1e300, 1e300))
    assert mismatch is not None
    assert (mismatch.kind, mismatch.count) == ("non_finite", 1)


def _neighbours(number: float, steps: int) -> float:
    for _ in range(abs(steps)):
        number = math.nextafter(number, math.copysign(math.inf, steps))
    return number


@given(
    FINITE,
    st.floats(0, 2) | BOUNDS,
    st.floats(0, 1e6) | BOUNDS | st.just(5e-324),
    st.integers(-3, 3),
    st.booleans(),
)
def test_the_edge_of_the_tolerance_is_where_exact_arithmetic_puts_it(
    want: float, rtol: float, atol: float, steps: int, below: bool
) -> None:
    """Within three floats of the edge, on both sides of the answer, at any magnitude."""
    bound = Fraction(atol) + Fraction(rtol) * abs(Fraction(want))
    edge = Fraction(want) - bound if below else Fraction(want) + bound
    try:
        got = _neighbours(float(edge), steps)
    except OverflowError:
        got = 1.7976931348623157e308 if edge > 0 else -1.7976931348623157e308
    assume(math.isfinite(got))
    accepted = abs(Fraction(got) - Fraction(want)) <= bound
    assert (compare(got, NUMBER, want, Tolerance(rtol, atol)) is None) == accepted
    assert (compare([got] * 3, NESTED, [want] * 3, Tolerance(rtol, atol)) is None) == accepted


@given(st.integers(), st.integers(-5, 5), st.integers(0, 4))
def test_integers_are_compared_exactly_at_any_size(want: int, off: int, atol: int) -> None:
    """Also beyond 2^53 and beyond 64 bits, alone and in lists."""
    leaf = Leaf("integer", rtol=0.0, atol=float(atol))
    for value, contract, answer in (
        (want + off, leaf, want),
        ([want + off, want], Leaf("nested_list", rtol=0.0, atol=float(atol)), [want, want]),
    ):
        assert (compare(value, contract, answer, EXACT) is None) == (abs(off) <= atol)


@given(
    st.floats(-1e6, 1e6)
    | st.floats(-1e-6, 1e-6)
    | st.integers(-(10**9), 10**9).map(lambda n: n / 2**8),
    st.integers(0, 8),
    st.sampled_from([0.0, 1e-12, 1e-9]),
    st.integers(-2, 2),
    st.integers(-3, 3),
)
def test_rounding_accepts_the_half_unit_plus_guard_on_the_grid_and_nothing_else(
    want: float, places: int, guard: float, step: int, ulps: int
) -> None:
    """Exactly: |got-want| <= 10^-k/2 + guard|want| + 1 ulp, and got within an ulp of the grid."""
    nearest = round(Fraction(want) * 10**places) + step
    grid = float(Fraction(nearest, 10**places))
    got = _neighbours(grid, ulps)
    assume(abs(got) * 10**places < 1e14)
    ulp = Fraction(math.ulp(max(abs(got), abs(want))))
    bound = Fraction(1, 2 * 10**places) + Fraction(guard) * abs(Fraction(want)) + ulp
    near = abs(Fraction(got) - Fraction(want)) <= bound
    closest = float(Fraction(round(Fraction(got) * 10**places), 10**places))
    on_grid = abs(got - closest) <= math.ulp(closest)
    mismatch = compare(got, Leaf("number", round=places, guard=guard), want, EXACT)
    if near and on_grid:
        assert mismatch is None
    else:
        assert mismatch is not None
        assert mismatch.kind == ("rounding" if near else "value")


@given(st.integers(-(10**7), 10**7), st.sampled_from([6, 7]))
def test_both_neighbours_pass_at_a_tie_however_it_was_rounded(odd: int, places: int) -> None:
    """round, np.round and formatting differ at ties j/2^(k+1); all three are right."""
    tie = (2 * odd + 1) / 2 ** (places + 1)
    leaf = Leaf("number", round=places)
    half_up = math.floor(tie * 10**places + 0.5) / 10**places
    for got in (
        round(tie, places),
        float(np.round(tie, places)),
        float(f"{tie:.{places}f}"),
        half_up,
    ):
        assert compare(got, leaf, tie, EXACT) is None
    unrounded = compare(tie, leaf, tie, EXACT)
    assert unrounded is not None
    assert unrounded.kind == "rounding"


# --- Size ---------------------------------------------------------------------------------------


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
