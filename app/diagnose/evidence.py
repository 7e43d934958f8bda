"""What is known about a submission: per test, which outputs are wrong and what was returned there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from app.contract import Contract, Dict, List, Tolerance, Tuple
from app.model import Contents, Fact, Mismatch, Returned, TestCase, Value, Variant

Compare: TypeAlias = Callable[[Value, Contract, Value, Tolerance], Mismatch | None]


@dataclass(frozen=True, slots=True)
class Result:
    """How one test went. `fact` is None where it passed, and where its value was too large to keep."""

    test: TestCase
    passed: bool
    fact: Fact | None = None


@dataclass(frozen=True, slots=True)
class Output:
    """One output on one test: an item or entry that the contract lists, or the whole value.

    number   which output it is, the same on every test
    got      what was returned; where the test passed, the answer
    """

    number: int
    contract: Contract
    got: Value
    want: Value
    wrong: bool


@dataclass(frozen=True, slots=True)
class Case:
    """One test: what came of it, and its outputs if it returned them in the outer form asked for.

    value   what was returned, None also where nothing was; where the test passed, the answer
    """

    test: TestCase
    passed: bool
    fact: Fact | None
    contents: Contents
    value: Value
    outputs: tuple[Output, ...]
    mismatch: Mismatch | None

    @property
    def seen(self) -> bool:
        """Whether this is a failure that was kept, and so has to be explained."""
        return not self.passed and self.fact is not None


def evidence(variant: Variant, results: Sequence[Result], compare: Compare) -> list[Case]:
    """The cases, failures first and small ones first: most explanations fall at the first test."""
    cases = [_case(variant, result, compare) for result in results]
    return sorted(cases, key=lambda case: (case.passed, _weight(case.contents.answer)))


def _case(variant: Variant, result: Result, compare: Compare) -> Case:
    contents, fact = result.test.contents(), result.fact
    value = contents.answer if result.passed else getattr(fact, "value", None)
    outputs = tuple(
        Output(
            number,
            contract,
            got,
            want,
            not result.passed and compare(got, contract, want, variant.tolerance) is not None,
        )
        for number, (contract, (got, want)) in enumerate(
            split(variant.returns, value, contents.answer)
        )
    )
    mismatch = None
    if isinstance(fact, Returned):
        mismatch = compare(fact.value, variant.returns, contents.answer, variant.tolerance)
    return Case(result.test, result.passed, fact, contents, value, outputs, mismatch)


def split(contract: Contract, *values: Value) -> Iterator[tuple[Contract, tuple[Value, ...]]]:
    """The outputs of several values side by side; the values whole where one has another form."""
    match contract:
        case Dict(fields=fields) if all(_has_keys(value, fields) for value in values):
            for key, inner in fields:
                yield from split(inner, *(value[key] for value in values))  # type: ignore[index]
        case Tuple(items=items) | List(items=items) if all(_has(value, items) for value in values):
            for index, inner in enumerate(items):
                yield from split(inner, *(value[index] for value in values))  # type: ignore[index]
        case _:
            yield contract, values


def _has_keys(value: Value, fields: Sequence[tuple[str, Contract]]) -> bool:
    return isinstance(value, dict) and value.keys() == {key for key, _ in fields}


def _has(value: Value, items: Sequence[Contract]) -> bool:
    return isinstance(value, list | tuple) and len(value) == len(items)


def _weight(value: Value) -> int:
    """About how many numbers a value holds."""
    if isinstance(value, np.ndarray):
        return value.size
    if isinstance(value, dict):
        return sum(map(_weight, value.values()))
    if isinstance(value, list | tuple):
        return len(value) + sum(_weight(item) for item in value if not isinstance(item, float))
    return 1
