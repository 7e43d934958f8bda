"""Custom input: what fits the contract is taken, and every fault is told at its field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from app.contract import Argument, Contract, Dict, DictOf, Leaf, ListOf, Tolerance, Tuple
from app.errors import Invalid
from app.model import Core, Page, Take, Variant
from app.problem import arguments
from app.problem.versions import digest


def variant(**contracts: Contract) -> Variant:
    names = tuple(contracts)
    return Variant(
        id="f/v",
        title="",
        entry_point="f",
        arguments=tuple(Argument(name, contracts[name]) for name in names),
        returns=Leaf("number"),
        tolerance=Tolerance(0, 0),
        tests=(),
        core=Core("", tuple((name, Take(name)) for name in names), (), Take("n")),
        version="",
        page=Page("easy", 1, "", ""),
    )


TENSORS = ListOf(Leaf("array_like", finite=True, min_size=1), 1, 3)
ABOVE = Leaf("number", above=0, finite=True)


@pytest.mark.parametrize(
    ("contract", "data", "value"),
    [
        (TENSORS, [[3], [[0, 4.5]]], [[3], [[0, 4.5]]]),
        (TENSORS, [{"array": [[1, 2]]}], [np.array([[1.0, 2.0]])]),
        (ListOf(Leaf("array")), [[1, 2.5]], [np.array([1, 2.5])]),
        (Leaf("array", dtype="float64"), [[1], [2]], np.array([[1.0], [2.0]])),
        (Leaf("array_like"), 5, 5),
        (Leaf("nested_list"), {"array": [1, 2], "dtype": "int64"}, [1, 2]),
        (ABOVE, 3, 3),
        (Leaf("number"), {"float": "Infinity"}, float("inf")),
        (Leaf("integer", minimum=0), 0, 0),
        (Leaf("boolean"), True, True),
        (Leaf("string"), "linear", "linear"),
        (DictOf(Leaf("array")), {"w": [1.0]}, {"w": np.array([1.0])}),
        (DictOf(DictOf(Leaf("number"))), {"a": {"b": 1}}, {"a": {"b": 1}}),
        (Dict((("lr", ABOVE),)), {"lr": 0.1}, {"lr": 0.1}),
        (Tuple((ABOVE, Leaf("string"))), [1.5, "x"], (1.5, "x")),
    ],
)
def test_what_fits_comes_in_the_form_of_the_contract(
    contract: Contract, data: Any, value: Any
) -> None:
    """The entry point gets custom input in the very form in which it gets the tests."""
    [got] = arguments.parse(variant(x=contract), {"x": data})
    assert digest(got) == digest(value)


@pytest.mark.parametrize(
    ("contract", "data", "where", "words"),
    [
        (TENSORS, [[1], ["a"]], "arguments.x[1][0]", 'a number is asked for, not the string "a"'),
        (TENSORS, [[1, 2], [[1, 2], [3]]], "arguments.x[1][1]", "has 1 items where the first has 2"),
        (TENSORS, [[1], []], "arguments.x[1]", "needs at least 1 number"),
        (TENSORS, [[1], [[1, {"float": "NaN"}]]], "arguments.x[1][0][1]", "must be finite"),
        (TENSORS, [[True, 1.5]], "arguments.x[0]", "mixes numbers and booleans"),
        (TENSORS, [[True]], "arguments.x[0]", "an array of decimal numbers or integers"),
        (TENSORS, [[10**30]], "arguments.x[0]", "too large for an array"),
        (TENSORS, [], "arguments.x", "needs at least one item"),
        (TENSORS, [[1]] * 4, "arguments.x", "at most 3 items, has 4"),
        (TENSORS, {"a": 1}, "arguments.x", "must be one of array"),
        (TENSORS, "text", "arguments.x", 'a list is asked for, not the string "text"'),
        (ABOVE, 0, "arguments.x", "must be above 0"),
        (ABOVE, {"float": "Infinity"}, "arguments.x", "must be finite"),
        (ABOVE, 10**400, "arguments.x", "must be finite"),
        (ABOVE, None, "arguments.x", "a number is asked for, not nothing"),
        (ABOVE, True, "arguments.x", "a number is asked for, not a boolean"),
        (ABOVE, "5", "arguments.x", 'not the string "5"'),
        (ABOVE, [5], "arguments.x", "not a list"),
        (ABOVE, float("nan"), "arguments.x", "not a finite number; write"),
        (Leaf("integer"), 1.5, "arguments.x", "an integer is asked for, not the number 1.5"),
        (Leaf("number", maximum=1, minimum=0), 2, "arguments.x", "must be at most 1"),
        (Leaf("number", below=1), 1, "arguments.x", "must be below 1"),
        (Leaf("array", shape=(None, 2)), [[1, 2, 3]], "arguments.x", "(any, 2) is asked for"),
        (Leaf("array", dtype="int64"), [1.5], "arguments.x", "an array of integers"),
        (Leaf("array", dtype_kinds="iu"), [1.5], "arguments.x", "an array of integers"),
        (DictOf(ABOVE), {"w": -1}, "arguments.x.w", "must be above 0"),
        (Dict((("lr", ABOVE),)), {"rl": 1}, "arguments.x", "the keys lr are asked for"),
        (Tuple((ABOVE,)), [1, 2], "arguments.x", "a list of exactly 1 items"),
    ],
)  # fmt: skip
def test_a_fault_is_told_at_its_field(
    contract: Contract, data: Any, where: str, words: str
) -> None:
    """The page marks the field, down to the entry, and says what is asked for."""
    with pytest.raises(Invalid) as caught:
        arguments.parse(variant(x=contract), {"x": data})
    [error] = caught.value.errors
    assert error.where == where
    assert words in error.message


PARAMS = DictOf(DictOf(Leaf("array", min_size=1), min_items=1), min_items=1)
BETWEEN: dict[str, Contract] = {
    "floor": Leaf("number", minimum=0, maximum="peak"),
    "peak": Leaf("number", above=0, finite=True),
    "params": PARAMS,
    "updates": ListOf(DictOf(DictOf(Leaf("array")), like="params")),
}
FITS: dict[str, Any] = {
    "floor": 0.1,
    "peak": 0.1,
    "params": {"a": {"w": [1, 2], "b": 3}},
    "updates": [{"a": {"b": 1, "w": [0.5, 0.5]}}],
}


def update(**tensors: Any) -> Any:
    return {"updates": [{"a": tensors}]}


def test_what_binds_two_arguments_can_be_kept() -> None:
    """Bounds include their edge; keys may come in another order."""
    floor, *_ = arguments.parse(variant(**BETWEEN), FITS)
    assert floor == 0.1


@pytest.mark.parametrize(
    ("change", "where", "words"),
    [
        ({"floor": 0.5}, "arguments.floor", "must be at most peak, 0.1"),
        ({"params": {}, "updates": []}, "arguments.params", "needs at least one item"),
        ({"params": {"a": {}}, "updates": []}, "arguments.params.a", "needs at least one item"),
        (update(w=[1, 2], v=3), "arguments.updates[0].a", 'must have the keys of params.a: "w", "b"'),
        ({"updates": [{}]}, "arguments.updates[0]", 'must have the keys of params: "a"'),
        (update(w=[1], b=3), "arguments.updates[0].a.w", "must have the shape of params.a.w, (2,)"),
        (update(w=[1, 2], b=[3]), "arguments.updates[0].a.b", "must have the shape of params.a.b, ()"),
    ],
)  # fmt: skip
def test_what_binds_two_arguments_is_told_at_the_one_that_breaks_it(
    change: Any, where: str, words: str
) -> None:
    """A floor above the peak, an update of another shape: no answer is made up for them."""
    with pytest.raises(Invalid) as caught:
        arguments.parse(variant(**BETWEEN), {**FITS, **change})
    [error] = caught.value.errors
    assert (error.where, error.message) == (where, words)


def test_a_huge_integer_is_refused_in_words() -> None:
    """Python will not write thousands of digits; the message must not fail over it."""
    with pytest.raises(Invalid, match="a string is asked for, not the number an integer of"):
        arguments.parse(variant(x=Leaf("string")), {"x": 10**5000})


@pytest.mark.parametrize(
    ("data", "wheres"),
    [
        ({"vlaues": 1}, ["arguments.values", "arguments.limit", "arguments.vlaues"]),
        ({"values": [1, "a"], "limit": 0}, ["arguments.values[1]", "arguments.limit"]),
        ([1], ["arguments"]),
        (None, ["arguments"]),
    ],
)
def test_every_fault_is_told_at_once(data: Any, wheres: list[str]) -> None:
    """Nobody corrects one field to be told of the next."""
    problem = variant(values=Leaf("array"), limit=ABOVE)
    with pytest.raises(Invalid) as caught:
        arguments.parse(problem, data)
    assert [error.where for error in caught.value.errors] == wheres


def test_a_misspelt_argument_gets_a_suggestion() -> None:
    """The name that was meant is in the message."""
    with pytest.raises(Invalid, match="did you mean values") as caught:
        arguments.parse(variant(values=ABOVE), {"values": 1, "value": 1})
    assert caught.value.errors[0].where == "arguments.value"


def test_like_ties_the_shape_of_one_argument_to_another() -> None:
    """Weights must be as many as values."""
    problem = variant(values=Leaf("array"), weights=Leaf("array", like="values"))
    data: Mapping[str, Any] = {"values": [1, 2], "weights": [1, 2, 3]}
    with pytest.raises(Invalid, match="must have the shape of values") as caught:
        arguments.parse(problem, data)
    assert caught.value.errors[0].where == "arguments.weights"
