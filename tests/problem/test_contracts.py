"""Contracts as authors write them: every kind and option, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.contract import AnySequence, Contract, Dict, DictOf, Leaf, List, ListOf, Tuple
from app.errors import PackageError
from app.problem import contracts, document

NUMBER = Leaf("number")


def read(text: str) -> Contract:
    page = document.parse(f"contract: {text}", Path("v.yaml"))
    return contracts.read(page, ("contract",), page.data["contract"])


@pytest.mark.parametrize(
    ("text", "contract"),
    [
        ("number", NUMBER),
        ("{number: {}}", NUMBER),
        ("{number: }", NUMBER),
        ("{number: {above: 0, finite: true}}", Leaf("number", above=0, finite=True)),
        ("{number: {round: 7, guard: 1e-11}}", Leaf("number", round=7, guard=1e-11)),
        ("{integer: {minimum: 0, maximum: 9}}", Leaf("integer", minimum=0, maximum=9)),
        ("{array: {shape: any}}", Leaf("array")),
        ("{array: {shape: [null, 3]}}", Leaf("array", shape=(None, 3))),
        ("{array: {shape: []}}", Leaf("array", shape=())),
        (
            "{array_like: {dtype: int64, min_size: 1}}",
            Leaf("array_like", dtype="int64", min_size=1),
        ),
        ("{array: {dtype_kind: f, like: x}}", Leaf("array", dtype_kinds="f", like="x")),
        ("{nested_list: {rtol: 1e-6, atol: 0}}", Leaf("nested_list", rtol=1e-6, atol=0)),
        ("{dict: {a: number, b: string}}", Dict((("a", NUMBER), ("b", Leaf("string"))))),
        ("{dict_of: number}", DictOf(NUMBER)),
        ("{dict_of: number, min_items: 1, like: x}", DictOf(NUMBER, 1, "x")),
        ("{number: {minimum: 0, maximum: x}}", Leaf("number", minimum=0, maximum="x")),
        ("{tuple: [number, boolean]}", Tuple((NUMBER, Leaf("boolean")))),
        ("{list: [number]}", List((NUMBER,))),
        ("{list_of: number, min_items: 1, max_items: 9}", ListOf(NUMBER, 1, 9)),
        ("{any_sequence: {dict_of: {list_of: number}}}", AnySequence(DictOf(ListOf(NUMBER)))),
    ],
)
def test_every_kind_can_be_written(text: str, contract: Contract) -> None:
    """The tree says what was written, and nothing else."""
    assert read(text) == contract


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{nubmer: {}}", "did you mean number"),
        ("{listof: number}", "did you mean list_of"),
        ("{number: {}, array: {}}", "two kinds"),
        ("{number: {}, min_items: 1}", "'min_items' does not belong beside 'number'"),
        ("{dict: {a: number}, min_items: 1}", "does not belong"),
        ("{list_of: number, min_items: -1}", "0 or more"),
        ("{dict_of: number, max_items: 1}", "does not belong"),
        ("{dict_of: number, like: 3}", "must be the name of an argument"),
        ("{list_of: number, min_items: 3, max_items: 2}", "below min_items"),
        ("{number: {rounds: 7}}", "contract.number.rounds"),
        ("{number: {round: 7.5}}", "contract.number.round"),
        ("{number: {round: -1}}", "contract.number.round"),
        ("{number: {guard: 1}}", "contract.number.guard"),
        ("{number: {dtype: object}}", "must be float64"),
        ("{number: {dtype_kind: O}}", "contract.number.dtype_kind"),
        ("{array: {shape: [x]}}", "contract.array.shape"),
        ("{tuple: number}", "needs a list"),
        ("{tuple: []}", "needs a list"),
        ("{dict: {}}", "needs a mapping"),
        ("{dict: {a: {b: number}}}", "contract.dict.a.b: 'b' is not a kind"),
        ("3", "a contract is a mapping"),
        ("[number]", "a contract is a mapping"),
        ("{}", "use one of"),
        ("null", "a contract is a mapping"),
    ],
)
def test_what_is_no_contract_is_refused_at_its_place(text: str, words: str) -> None:
    """With a suggestion where a word is nearly one that is known."""
    with pytest.raises(PackageError) as caught:
        read(text)
    assert words in str(caught.value)
    assert caught.value.line == 1
