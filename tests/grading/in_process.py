"""A Runner without boxes, for programs of our own that are judged by the hundred."""

from __future__ import annotations

import contextlib
import copy
import io
import time
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from app.model import Call, Fact, NotCompiled, Outcome, Raised, Returned, Unsupported, Value

_PLAIN = (type(None), bool, int, float, complex, str)


class InProcess:
    """Each call on copies of its arguments. Only for the corpus: nothing is locked down."""

    def run(self, calls: Sequence[Call]) -> Iterator[tuple[int, Outcome]]:
        functions: dict[str, Any] = {}
        for index in range(len(calls)):
            call = calls[index]
            started = time.perf_counter()
            if call.source not in functions:
                functions[call.source] = _defined(call)
            fact = _called(functions[call.source], call)
            yield index, Outcome(fact, time.perf_counter() - started, 0.0, 1024)


def _defined(call: Call) -> Any:
    names: dict[str, Any] = {"__name__": "submission"}
    try:
        exec(compile(call.source, "submission.py", "exec", dont_inherit=True), names)
    except SyntaxError as error:
        return NotCompiled("syntax", str(error), error.lineno)
    return names.get(call.entry_point, NotCompiled("no_entry_point", "no such function"))


def _called(function: Any, call: Call) -> Fact:
    if isinstance(function, NotCompiled):
        return function
    arguments = copy.deepcopy(call.arguments)
    try:
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = function(*arguments)
    except Exception as error:  # a learner's failure is data
        return Raised(type(error).__name__, str(error), None)
    return Returned(_crossed(value), _same(arguments, call.arguments))


def _crossed(value: Any) -> Value:
    """The value as it would cross: exact types, everything else only by its type's name."""
    if type(value) is list or type(value) is tuple:
        return type(value)(map(_crossed, value))
    if type(value) is dict:
        return {key: _crossed(item) for key, item in value.items()}
    if type(value) in _PLAIN or isinstance(value, np.generic):
        return value
    if type(value) is np.ndarray and value.dtype.kind in "biufc":
        return value.copy()
    return Unsupported(type(value).__name__)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray):
        return bool(one.dtype == other.dtype and one.tobytes() == other.tobytes())
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(_same(one[key], other[key]) for key in one)
    return bool(one == other)
