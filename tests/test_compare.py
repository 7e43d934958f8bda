"""The comparator: what is an answer, what is not, and what is said about it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from app.compare import Misfit, compare
from app.contract import AnySequence, Contract, Dict, DictOf, Leaf, List, ListOf, Tolerance, Tuple
from app.model import Unsupported, Value

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
