"""Values in writing: what people read, and JSON that gives the very same value back."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from app.contract import Dict, Leaf, ListOf, Tuple
from app.model import Unsupported, Value
from app.notation import from_json, kind_of, text_written, to_json, written
from tests.values import VALUES, same

WRITTEN: dict[str, tuple[Value, str]] = {
    "None": (None, "None"),
    "a bool": (True, "True"),
    "an int": (5, "5"),
    "a whole float": (5.0, "5.0"),
    "a float": (0.1, "0.1"),
    "minus zero": (-0.0, "-0.0"),
    "a tiny float": (1e-300, "1e-300"),
    "a huge float": (1e150, "1e+150"),
    "nan": (math.nan, "NaN"),
    "infinities": ([math.inf, -math.inf], "[∞, -∞]"),
    "a complex number": (complex(1, -2), "(1.0 - 2.0j)"),
    "a NumPy float": (np.float64(5), "5.0"),
    "a NumPy int": (np.int64(5), "5"),
    "a NumPy bool": (np.bool_(True), "True"),
    "a 0-d array": (np.array(5.0), "5.0"),
    "an array": (np.array([[1.0, 2.5]]), "array([[1.0, 2.5]])"),
    "an array of ints": (np.array([1, 2]), "array([1, 2])"),
    "single precision": (np.array([0.5], np.float32), "array([0.5], dtype=float32)"),
    "an empty array": (np.zeros((0, 3)), "array([], shape=(0, 3))"),
    "a tuple of one": ((1,), "(1,)"),
    "an empty tuple": ((), "()"),
    "a dict": ({"clipped": [np.float64(0.6)], 3: None}, "{'clipped': [0.6], 3: None}"),
    "a text": ("it's", '"it\'s"'),
    "something else": (Unsupported("generator"), "<a value of type generator>"),
    "a long integer": (10**100, "an integer of about 101 digits"),
    "an integer longer than Python prints": (1 << 32_000, "an integer of about 9633 digits"),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_values_are_written_as_a_learner_would_type_them(name: str) -> None:
    """NumPy scalars are plain numbers, whole floats have no tail, signs stand for non-finite."""
    value, text = WRITTEN[name]
    assert written(value) == text


def test_long_values_are_cut_with_an_exact_count_of_what_is_left_out() -> None:
    """At every level, and the text stays about as wide as it was asked to be."""
    text = written(list(range(1000)), width=30)
    shown = text.count(",") - 1
    assert text.endswith(f", … {999 - shown} more]")
    assert len(text) < 60
    rows = written(np.zeros((500, 500)), width=50)
    assert "more], … 499 more])" in rows
    assert len(written({"key": [0.0] * 10**6}, width=80)) < 120
    assert written([[0.0] * 9] * 9, width=1) == "[[0.0, … 8 more], … 8 more]"


def test_places_round_every_float_and_nothing_else() -> None:
    """For the page's examples: display places are shown, never checked."""
    assert written([0.316227766, 5.0, 3], places=4) == "[0.3162, 5.0, 3]"
    assert written(np.array([2 / 3]), places=2) == "array([0.67])"


def test_a_contract_rounds_the_leaves_that_ask_for_it() -> None:
    """An expected norm is shown at its 7 places, the tensors beside it in full."""
    contract = Dict((("clipped", ListOf(Leaf("array"))), ("norm", Leaf("number", round=7))))
    answer = {"clipped": [np.array([1 / 3])], "norm": math.sqrt(2)}
    expected = "{'clipped': [array([0.3333333333333333])], 'norm': 1.4142136}"
    assert written(answer, contract=contract) == expected
    pair = Tuple((Leaf("number", round=1), Leaf("number")))
    assert written((0.25, 0.25), contract=pair) == "(0.2, 0.25)"


def test_texts_are_quoted_and_cut_with_a_count() -> None:
    """A text of a million letters costs one line."""
    assert text_written("a\nb") == "'a\\nb'"
    assert text_written("x" * 30, 10) == "'xxxxxxxxxx' … 20 more characters"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "None"),
        (True, "a bool"),
        (1, "an int"),
        (1.0, "a float"),
        (1j, "a complex number"),
        ("", "a string"),
        ([], "a list"),
        ((), "a tuple"),
        ({}, "a dict"),
        (np.zeros(2), "a NumPy array"),
        (np.float64(1), "a NumPy float64"),
        (np.bool_(True), "a NumPy bool"),
        (Unsupported("set"), "a value of type set"),
    ],
)
def test_kinds_have_a_name_with_its_article(value: Value, words: str) -> None:
    """What a message about form is made of."""
    assert kind_of(value) == words


@given(VALUES)
def test_json_gives_every_value_back_as_it_was(value: Value) -> None:
    """Through a strict writer: no bare NaN, and no integer that a script would round."""
    text = json.dumps(to_json(value), allow_nan=False)
    assert same(from_json(json.loads(text)), value)
    numbers = [abs(int(part)) for part in _integers(json.loads(text))]
    assert all(number <= 2**53 for number in numbers)


def _integers(tree: Any) -> list[int]:
    if isinstance(tree, list):
        return [number for item in tree for number in _integers(item)]
    if isinstance(tree, dict):
        return _integers(list(tree.values()))
    return [tree] if type(tree) is int else []


@pytest.mark.parametrize(
    "tree",
    [
        {},
        {"surprise": 1},
        {"float": "many"},
        {"int": "12x"},
        {"array": [[1], [2, 3]]},
        {"array": [1], "dtype": "object"},
        {"array": [1], "dtype": "no such"},
        {"array": [1.0, "one"], "dtype": "float64"},
        {"array": [], "shape": [3], "dtype": "float64"},
        {"array": [[1, 2]], "dtype": "complex128"},
        {"complex": [1]},
        {"complex": ["a", "b"]},
        {"dict": [["key"]]},
        {"dict": [[{"dict": []}, 1]]},
        {"scalar": "a", "dtype": "float64"},
        {"scalar": 1},
        {"tuple": 3},
    ],
)
def test_json_that_was_never_written_is_refused_in_words(tree: object) -> None:
    """A ValueError, whatever is wrong with it."""
    with pytest.raises(ValueError, match=r"kind"):
        from_json(tree)


@pytest.mark.parametrize("value", [object(), {1, 2}, np.array(["a"]), np.array([object()])])
def test_what_crosses_no_border_has_no_json(value: Value) -> None:
    """A TypeError: whoever stores such a value has a bug."""
    with pytest.raises(TypeError, match="no value that crosses a border"):
        to_json(value)
