"""Contracts in words: what a learner reads is what the judge does."""

from __future__ import annotations

import numpy as np
import pytest

from app.compare import compare
from app.contract import (
    AnySequence,
    Contract,
    Dict,
    DictOf,
    Leaf,
    LeafKind,
    List,
    ListOf,
    Tolerance,
    Tuple,
)
from app.model import Value
from app.web.checked import (
    finite_numbers,
    form_sentence,
    rounded_example,
    rounding_sentence,
    shown,
    tidy_example,
    tolerance_sentence,
)
from app.web.words import leaves, phrase, places, power, rules

NUMBER = Leaf("number")
ROUNDED = Leaf("number", round=7)


@pytest.mark.parametrize(
    ("contract", "expected"),
    [
        (NUMBER, "number"),
        (Leaf("array"), "NumPy array"),
        (Leaf("array", shape=(None,)), "1-D NumPy array"),
        (Leaf("array", shape=(2, None)), "NumPy array of shape (2, any)"),
        (ListOf(Leaf("array_like")), "list of arrays or nested lists"),
        (ListOf(ListOf(NUMBER)), "list of lists of numbers"),
        (AnySequence(NUMBER), "list or tuple of numbers"),
        (Dict((("a", NUMBER), ("b", NUMBER))), 'dict with the keys `"a"`, `"b"`'),
        (DictOf(NUMBER), "dict of numbers"),
        (Tuple((NUMBER, NUMBER)), "tuple of 2 items"),
        (List((NUMBER,)), "list of 1 item"),
    ],
)
def test_a_contract_reads_as_a_kind_of_value(contract: Contract, expected: str) -> None:
    """One phrase for each kind, nested as the value is."""
    assert phrase(contract) == expected


@pytest.mark.parametrize(
    ("contract", "expected"),
    [
        (Leaf("number", above=0, finite=True), ["finite", "> 0"]),
        (Leaf("number", minimum=0, maximum=1.5), ["≥ 0", "≤ 1.5"]),
        (ROUNDED, ["rounded to 7 decimal places"]),
        (ListOf(NUMBER, min_items=1), ["at least one item"]),
        (ListOf(NUMBER), ["may be empty"]),
        (Leaf("number", minimum=0, maximum="peak"), ["≥ 0", "≤ `peak`"]),
        (Leaf("number", minimum=-1e151, maximum=3e7), ["≥ −10¹⁵¹", "≤ 3 · 10⁷"]),
        (ListOf(NUMBER, max_items=200), ["up to 200 items"]),
        (DictOf(DictOf(NUMBER, min_items=1), min_items=1), ["not empty"]),
        (DictOf(Leaf("array", finite=True), like="a"), ["the keys and shapes of `a`", "finite"]),
        (ListOf(NUMBER, min_items=1, max_items=1000), ["1 to 1000 items"]),
        (Leaf("array", dtype="float64", min_size=1), ["any shape", "float64", "at least 1 entry"]),
        (Leaf("array", like="a", dtype_kinds="f"), ["the shape that `a` has there", "floating-point"]),
    ],
)  # fmt: skip
def test_every_rule_of_a_contract_is_told(contract: Contract, expected: list[str]) -> None:
    """Bounds, how many, whose shape, rounding: nothing is checked that is not on the page."""
    assert rules(contract) == expected


def test_leaves_are_named_by_their_part() -> None:
    """A sentence about numbers can say which numbers it means."""
    contract = Dict((("clipped", ListOf(Leaf("array"))), ("norm", ROUNDED)))
    assert [path for path, _ in leaves(contract)] == ["clipped", "norm"]
    assert [path for path, _ in leaves(Tuple((NUMBER, ListOf(NUMBER))))] == ["[0]", "[1]"]


def test_the_accepted_interval_is_exact() -> None:
    """The interval of an example is the tolerance rule in decimal, without binary noise."""
    sentence = tolerance_sentence("Every number", 1e-9, 0.0, 0.6)
    assert "≤ 10⁻⁹ · |expected|" in sentence
    assert "0.5999999994 to 0.6000000006" in sentence
    assert "0.1 + 10⁻³ · |expected|" in tolerance_sentence("x", 1e-3, 0.1, None)
    assert "exactly" in tolerance_sentence("x", 0, 0, 1.0)


def test_rounding_says_how_and_what_passes_at_a_tie() -> None:
    """The rule that people argue about is told with an example."""
    sentence = rounding_sentence("Every number in `norm`", 7, 2.0**0.5)
    assert "7 decimal places" in sentence
    assert "both neighbours pass" in sentence
    assert "`1.4142136`" in sentence


def test_the_form_is_told_strictly() -> None:
    """A tuple is not a list, and the page says so before the judge does."""
    assert "A list in place of the tuple is not accepted" in form_sentence(Tuple((NUMBER, NUMBER)))
    assert "Shapes are compared exactly" in form_sentence(ListOf(Leaf("array")))


@pytest.mark.parametrize(
    ("kind", "refused", "accepted", "told"),
    [
        ("integer", 3.0, np.int32(3), "`3.0` is not one"),
        ("boolean", 1, np.True_, "`1` is not `True`"),
        ("number", "3", np.float32(3), "both fine"),
    ],
)
def test_what_is_said_of_scalars_is_what_the_judge_does(
    kind: LeafKind, refused: Value, accepted: Value, told: str
) -> None:
    """Whoever returns `2.0` for a count has read that it is none."""
    leaf, answer = Leaf(kind), True if kind == "boolean" else 3
    assert told in form_sentence(Tuple((leaf, leaf)))
    assert compare(refused, leaf, answer, Tolerance(1e-9, 0.0)) is not None
    assert compare(accepted, leaf, answer, Tolerance(1e-9, 0.0)) is None


@pytest.mark.parametrize(
    ("contract", "answer", "expected"),
    [
        (NUMBER, 0.6000000000000001, 0.6),
        (ROUNDED, 5.123456789, 5.1234568),
        (Leaf("number", display=4), 4.47213595, 4.4721),
        (Tuple((NUMBER, NUMBER)), (1.0, 0.30000000000000004), (1.0, 0.3)),
        (Dict((("a", ListOf(ROUNDED)),)), {"a": [1.00000004]}, {"a": [1.0]}),
        (NUMBER, 7, 7),
        (Leaf("string"), "as it is", "as it is"),
    ],
)
def test_answers_are_shown_to_their_places(
    contract: Contract, answer: Value, expected: Value
) -> None:
    """Displayed places where stated, rounded places where asked, otherwise no noise of the last bit."""
    assert shown(contract, answer) == expected


def test_arrays_are_shown_without_noise_and_keep_their_shape() -> None:
    """An array of one value stays an array of that shape; a 0-d one too."""
    tidy = shown(Leaf("array"), np.array([[0.1 + 0.2]]))
    assert isinstance(tidy, np.ndarray)
    assert tidy.tolist() == [[0.3]]
    scalar = shown(Leaf("array"), np.array(0.1 + 0.2))
    assert isinstance(scalar, np.ndarray)
    assert scalar.shape == ()


def test_examples_are_numbers_that_show_something() -> None:
    """Zeros and non-finite numbers show no tolerance, whole numbers no rounding, noise nothing."""
    answers = [[np.array([0.0, np.inf, np.nan])], [np.array([0.599999880000024, 2.5])]]
    found = finite_numbers(ListOf(Leaf("array")), answers, {""})
    assert found == [0.599999880000024, 2.5]
    assert tidy_example(found) == 2.5
    assert rounded_example([5.0, 1.5, 2.0**0.5], 6) == 2.0**0.5
    assert rounded_example([5.0], 6) is None
    assert tidy_example([]) is None


@pytest.mark.parametrize(
    ("value", "expected"), [(1e-9, "10⁻⁹"), (1e-12, "10⁻¹²"), (3e-7, "3 · 10⁻⁷"), (0.5, "0.5")]
)
def test_tolerances_are_written_as_powers(value: float, expected: str) -> None:
    """10⁻⁹ is read at a glance, 1e-09 is not; what is no small number stays one."""
    assert power(value) == expected


def test_one_place_is_one() -> None:
    """Counts agree with their nouns."""
    assert places(1) == "1 decimal place"
    assert places(6) == "6 decimal places"
