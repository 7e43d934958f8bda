"""Programs that know nothing must fail: the starter, constants, echoes, and the samples by heart."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import assert_never

import numpy as np

from app.contract import AnySequence, Contract, Dict, DictOf, Leaf, List, ListOf, Tuple
from app.model import Returned, TestCase, Value
from app.problem.versions import digest
from app.verify.closeness import passes
from app.verify.report import Reason
from app.verify.subject import Subject


def trivial_programs(subject: Subject) -> Iterator[Reason]:
    """Each of them fails some secret test; the starter passes no test at all."""
    yield from _starter(subject)
    for name, answer in _programs(subject):
        returned = ((test, Returned(answer(test), True)) for test in subject.secret)
        if all(passes(subject.variant, test, fact) for test, fact in returned):
            message = f"a program that returns {name} passes every secret test"
            yield subject.reason("trivial_programs", message, ("tests",))


def _starter(subject: Subject) -> Iterator[Reason]:
    tests = subject.variant.tests
    facts = subject.facts(subject.calls(subject.variant.page.starter, tests))
    for test, fact in zip(tests, facts, strict=True):
        if passes(subject.variant, test, fact):
            path = subject.family.folder.shown(f"variants/{subject.variant.name}/starter.py")
            yield subject.reason("starter", f"the starter passes {test.name!r}", path)
            return


def _programs(subject: Subject) -> Iterator[tuple[str, Callable[[TestCase], Value]]]:
    """What each program returns on a test. No box is needed to know."""
    returns = subject.variant.returns
    yield "None", lambda test: None
    yield "an empty list", lambda test: []
    yield "an empty tuple", lambda test: ()
    yield "an empty dict", lambda test: {}
    yield "an empty container of the right kind", lambda test: _emptied(returns)
    yield "zeros", lambda test: filled(test.contents().answer, 0.0)
    yield "NaN everywhere", lambda test: filled(test.contents().answer, math.nan)
    yield "all its arguments", lambda test: test.contents().arguments
    for index, argument in enumerate(subject.variant.arguments):
        yield f"its argument {argument.name}", _argument(index)
    table = {
        digest(test.contents().arguments): test.contents().answer
        for test in subject.variant.tests
        if test.sample
    }
    yield "the answers of the samples", lambda test: table.get(digest(test.contents().arguments))
    for sample in (test for test in subject.variant.tests if test.sample):
        yield f"the answer of the sample {sample.name!r}", _constant(sample.contents().answer)


def _argument(index: int) -> Callable[[TestCase], Value]:
    return lambda test: test.contents().arguments[index]


def _constant(value: Value) -> Callable[[TestCase], Value]:
    return lambda test: value


def filled(answer: Value, number: float) -> Value:
    """An answer's form with the same number everywhere: not even zeros may be the right ones."""
    match answer:
        case np.ndarray():
            return np.full(answer.shape, number)
        case list():
            return [filled(item, number) for item in answer]
        case tuple():
            return tuple(filled(item, number) for item in answer)
        case dict():
            return {key: filled(item, number) for key, item in answer.items()}
        case _:
            return number


def _emptied(contract: Contract) -> Value:
    match contract:
        case Leaf(kind="array" | "array_like"):
            return np.array([])
        case Leaf():
            return []
        case Dict() | DictOf():
            return {}
        case Tuple():
            return ()
        case List() | ListOf() | AnySequence():
            return []
        case _:
            assert_never(contract)
