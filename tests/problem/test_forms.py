"""Inputs become arguments and outputs answers by the takes and the contract, and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from app.contract import (
    AnySequence,
    Argument,
    Contract,
    Dict,
    DictOf,
    Leaf,
    List,
    ListOf,
    Tolerance,
    Tuple,
)
from app.model import Core, Page, Take, Template, Variant
from app.problem import forms
from app.problem.versions import digest

NUMBER, ARRAY, NESTED = Leaf("number"), Leaf("array"), Leaf("nested_list")


def same(got: Any, want: Any) -> bool:
    return digest(got) == digest(want)


def variant(take: Take, argument: Contract, returns: Contract, answer: Template) -> Variant:
    return Variant(
        id="f/v",
        title="",
        entry_point="f",
        arguments=(Argument("x", argument),),
        returns=returns,
        tolerance=Tolerance(0, 0),
        tests=(),
        core=Core("", (("x", take),), (), answer),
        version="",
        page=Page("easy", 1, "", ""),
    )


TENSORS = [np.array([[1.0, 2.0]]), [3, 4.5], np.array(6), -7.0]


@pytest.mark.parametrize(
    ("how", "contract", "want"),
    [
        ("whole", ListOf(Leaf("array_like")), TENSORS),
        ("whole", ListOf(ARRAY), [np.array([[1.0, 2.0]]), np.array([3, 4.5]), np.array(6), np.array(-7.0)]),
        ("whole", ListOf(NESTED), [[[1.0, 2.0]], [3, 4.5], 6, -7.0]),
        ("flat", ListOf(NUMBER), [1.0, 2.0, 3, 4.5, 6, -7.0]),
        ("flat", Leaf("array", dtype="float64"), np.array([1.0, 2.0, 3.0, 4.5, 6.0, -7.0])),
        ("vectors", ListOf(Leaf("array_like")), [np.array([1.0, 2.0]), [3, 4.5], np.array([6]), [-7.0]]),
        ("vectors", ListOf(ARRAY), [np.array(x) for x in ([1.0, 2.0], [3, 4.5], [6], [-7.0])]),
        ("vectors", ListOf(NESTED), [[1.0, 2.0], [3, 4.5], [6], [-7.0]]),
    ],
)  # fmt: skip
def test_inputs_are_handed_over_in_the_form_of_the_contract(
    how: Any, contract: Contract, want: Any
) -> None:
    """`array` is always an ndarray, `nested_list` always lists, `array_like` as it is stored."""
    made = variant(Take("t", how), contract, NUMBER, Take("n"))
    assert same(forms.arguments(made, {"t": TENSORS}), (want,))


def test_an_array_leaf_hands_over_its_dtype() -> None:
    """Where the contract names a dtype, arrays come in it; lists stay what they are."""
    made = variant(Take("t"), ListOf(Leaf("array_like", dtype="float64")), NUMBER, Take("n"))
    stored = {"t": [np.array([1, 2]), [3, 4]]}
    assert same(forms.arguments(made, stored), ([np.array([1.0, 2.0]), [3, 4]],))


@pytest.mark.parametrize(
    ("returns", "template", "want"),
    [
        (
            Dict((("c", ListOf(NESTED)), ("n", NUMBER))),
            {"c": Take("c"), "n": Take("n")},
            {"c": [[1.0, 2.0], [[3.0]]], "n": 5.0},
        ),
        (
            Tuple((ListOf(ARRAY), NUMBER)),
            (Take("c"), Take("n")),
            ([np.array([1.0, 2.0]), np.array([[3.0]])], 5.0),
        ),
        (List((NUMBER,)), (Take("n"),), [5.0]),
        (
            AnySequence(Leaf("array_like")),
            Take("c"),
            [np.array([1.0, 2.0]), np.array([[3.0]])],
        ),
        (ListOf(NUMBER), Take("c", "flat"), [1.0, 2.0, 3.0]),
        (DictOf(ARRAY), Take("d"), {"w": np.array([1.0])}),
        (Leaf("integer"), Take("i"), 3),
    ],
)
def test_outputs_fill_the_template(returns: Any, template: Any, want: Any) -> None:
    """NumPy scalars become plain numbers, and each container is the one asked for."""
    outputs = {
        "c": [np.array([1.0, 2.0]), np.array([[3.0]])],
        "n": np.float64(5.0),
        "i": np.int64(3),
        "d": {"w": [1.0]},
    }
    made = variant(Take("t"), NUMBER, returns, template)
    assert same(forms.answer(made, outputs), want)


@pytest.mark.parametrize(
    ("returns", "template", "words"),
    [
        (NUMBER, Take("c"), "a single value is asked for"),
        (ListOf(NUMBER), Take("n"), "a list is asked for"),
        (Tuple((NUMBER, NUMBER, NUMBER)), Take("c"), "3 items are asked for, there are 2"),
        (DictOf(NUMBER), Take("n"), "a dict is asked for"),
        (ARRAY, Take("s"), "cannot become an array"),
        (NUMBER, Take("missing"), "'missing' is missing"),
        (NUMBER, Take("n", "flat"), "only a list of tensors"),
    ],
)
def test_what_cannot_take_the_form_says_why(returns: Any, template: Any, words: str) -> None:
    """The gate and the dry run tell an author which output does not fit, and where."""
    outputs = {"c": [[1.0], [2.0]], "n": 5.0, "s": "text"}
    with pytest.raises(forms.Unfit, match=words):
        forms.answer(variant(Take("t"), NUMBER, returns, template), outputs)


def test_arguments_go_back_to_inputs_and_forth_again() -> None:
    """Custom input takes the same way as a stored test: there and back changes nothing."""
    made = variant(Take("t", "flat"), ListOf(NUMBER), NUMBER, Take("n"))
    inputs = forms.inputs(made, ([1.0, 2.0],))
    assert inputs == {"t": [1.0, 2.0]}
    assert forms.arguments(made, inputs) == ([1.0, 2.0],)
