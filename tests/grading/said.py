"""What the judge says to hundreds of values: `python -m tests.grading.said` writes words/*.txt anew.

mismatches.txt   every contract against values of every kind, and against its answer a little changed
misfits.txt      answers that break their own contract: what an author is told
diagnoses.txt    programs on several contracts: the explanation, or none

The files are read by people, as a diff, when words or rules change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from app.compare import Misfit, compare
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
from app.diagnose import Result, diagnose
from app.model import Contents, Core, Page, Returned, TestCase, Unsupported, Value, Variant

SAID = Path(__file__).resolve().parent / "words"
NINE = Tolerance(1e-9, 0.0)
FLAT = np.array([0.5, -1.25, 3.0])
TABLE = np.array([[1.0, 2.5, -3.0], [0.125, 40.0, 1e-3]])

CONTRACTS: dict[str, tuple[Contract, Value]] = {
    "number": (Leaf("number"), 2.5),
    "rounded": (Leaf("number", round=3), 2.0 / 3),
    "rounded to tens": (Leaf("number", round=0), 17.25),
    "whole": (Leaf("integer"), 7),
    "yes or no": (Leaf("boolean"), True),
    "text": (Leaf("string"), "out of epochs"),
    "float": (Leaf("number", dtype_kinds="f"), 2.5),
    "array": (Leaf("array"), FLAT),
    "integers": (Leaf("array", dtype_kinds="iu"), np.array([[1, 2], [3, 4]])),
    "nested": (Leaf("nested_list"), TABLE),
    "alike": (Leaf("array_like"), TABLE),
    "loose": (Leaf("array_like", rtol=0.5, atol=0.25), TABLE),
    "rounded list": (ListOf(Leaf("number", round=2)), [0.123, 4.567, -8.9, 0.0, 5.5, 6.001]),
    "numbers": (ListOf(Leaf("number")), [1.0, 2.0, 3.0]),
    "arrays": (ListOf(Leaf("array")), [FLAT, TABLE]),
    "pair": (Tuple((ListOf(Leaf("array")), Leaf("number"))), ([FLAT, TABLE], 5.0)),
    "items": (List((Leaf("number"), ListOf(Leaf("integer")), Leaf("boolean"))), [0.5, [0, 1], False]),
    "named": (
        Dict((("clipped", ListOf(Leaf("array_like"))), ("norm", Leaf("number", round=6)))),
        {"clipped": [FLAT, TABLE], "norm": 1 / 3},
    ),
    "layers": (
        DictOf(DictOf(Leaf("array"))),
        {"a": {"w": FLAT, "b": np.array(2.0)}, "c": {"w": TABLE}},
    ),
    "sequence": (AnySequence(Leaf("array_like")), [FLAT, FLAT]),
    "empty": (Leaf("array"), np.zeros((2, 0, 3))),
    "not finite": (Leaf("array"), np.array([np.nan, np.inf, -np.inf, 1.0])),
    "long": (Leaf("array_like"), np.array([2**70, 1], dtype=object).tolist()),
}  # fmt: skip

VALUES: dict[str, Value] = {
    "None": None,
    "True": True,
    "a bool scalar": np.bool_(False),
    "5": 5,
    "2.5": 2.5,
    "nan": float("nan"),
    "-inf": float("-inf"),
    "complex": 1j,
    "a complex array": np.array([1j, 2]),
    "text": "patience",
    "long text": "x" * 300,
    "too large": 10**400,
    "too large in a list": [1.0, 10**400],
    "an empty list": [],
    "an empty tuple": (),
    "an empty dict": {},
    "a set": Unsupported("set"),
    "a set in a list": [1.0, Unsupported("set")],
    "None in a list": [[1.0, 2.0], None],
    "text in a list": [1.0, "2.0"],
    "ragged": [[1.0, 2.0], [3.0]],
    "ragged deeper": [[[1.0], [2.0, 3.0]], [[1.0], [2.0]]],
    "a number beside a list": [1.0, [2.0]],
    "arrays of two shapes": [np.zeros(2), np.zeros(3)],
    "bools": [True, False, True],
    "a bool array": np.array([True, False, True]),
    "int8": np.array([1, 2, 3], np.int8),
    "uint64": np.array([2**64 - 1, 0, 1], np.uint64),
    "float16": np.array([0.5, -1.25, 3.0], np.float16),
    "a 0-d array": np.array(2.5),
    "an array of one": np.array([2.5]),
    "a list of tuples": [(1.0, 2.5, -3.0), (0.125, 40.0, 1e-3)],
    "a tuple of arrays": (np.zeros(3), np.zeros(3)),
    "a dict": {"clipped": 1.0, "size": 2.0},
    "numbers as keys": {1: 2.0, (1, 2): 3.0},
}


def _each(change: Callable[[Any], Value]) -> Callable[[Value], Value]:
    """The change, on every array and number of a value."""

    def changed(value: Value) -> Value:
        if isinstance(value, dict):
            return {key: changed(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return type(value)(changed(item) for item in value)
        try:
            return value if isinstance(value, str) else change(value)
        except (TypeError, ValueError, OverflowError, AttributeError):
            return value  # this change means nothing to this kind of value

    return changed


def _at(place: int, number: float) -> Callable[[Any], Value]:
    """Another number in one place of every array, and for every single number."""

    def put(value: Any) -> Value:
        if not isinstance(value, np.ndarray) or not value.size:
            return value if isinstance(value, np.ndarray) else number
        changed = value.astype(np.float64)
        changed.flat[place % value.size] = number
        return changed

    return put


def _first(value: Value) -> Value:
    """Without its last item or key."""
    if isinstance(value, dict):
        return dict(list(value.items())[:-1])
    return value[:-1] if isinstance(value, list | tuple) else value


def _last(value: Value) -> Value:
    """With one item or key more."""
    if isinstance(value, dict):
        return {**value, "extra": 1.0}
    return type(value)([*value, 1.0]) if isinstance(value, list | tuple) else value


CHANGES: dict[str, Callable[[Value], Value]] = {
    "the answer": lambda value: value,
    "as lists": _each(lambda a: a.tolist() if isinstance(a, np.ndarray) else a),
    "as tuples": lambda value: tuple(value) if isinstance(value, list | np.ndarray) else value,
    "as a list": lambda value: list(value) if isinstance(value, tuple | dict) else value,
    "as a dict": lambda value: dict(enumerate(value)) if isinstance(value, list | tuple) else value,
    "keys misspelt": lambda value: (
        {f"{key}s": item for key, item in value.items()} if isinstance(value, dict) else value
    ),
    "one less": _first,
    "one more": _last,
    "backwards": lambda value: value[::-1] if isinstance(value, list | tuple) else value,
    "a little off": _each(lambda a: a * (1 + 1e-6)),
    "far off": _each(lambda a: a + 1000.0),
    "off in one place": _each(_at(1, 77.0)),
    "nan in one place": _each(_at(-1, float("nan"))),
    "infinite in one place": _each(_at(0, float("inf"))),
    "minus infinity": _each(_at(0, float("-inf"))),
    "all nan": _each(lambda a: a * float("nan")),
    "cut off": _each(lambda a: np.trunc(a) if isinstance(a, np.ndarray) else int(a)),
    "single precision": _each(lambda a: np.float32(a)),
    "one axis more": _each(lambda a: np.asarray(a)[None]),
    "flat": _each(np.ravel),
    "transposed": _each(np.transpose),
    "rounded to 1": _each(lambda a: np.round(a, 1)),
    "rounded to 2": _each(lambda a: np.round(a, 2)),
    "rounded to 3": _each(lambda a: np.round(a, 3)),
    "rounded to 6": _each(lambda a: np.round(a, 6)),
}

MISFITS: dict[str, tuple[Value, Contract, Value]] = {
    "text for a number": (1.0, Leaf("number"), "one"),
    "None for a number": (1.0, Leaf("number"), None),
    "a number for a text": ("a", Leaf("string"), 1.0),
    "a ragged answer": ([[1.0], [2.0]], Leaf("nested_list"), [[1.0], [2.0, 3.0]]),
    "complex": (1.0, Leaf("number"), 1j),
    "a list for a tuple": ((1.0,), Tuple((Leaf("number"),)), [1.0]),
    "too short a tuple": ((1.0, 2.0), Tuple((Leaf("number"), Leaf("number"))), (1.0,)),
    "a tuple for a list": ([1.0], List((Leaf("number"),)), (1.0,)),
    "too long a list": ([1.0], List((Leaf("number"),)), [1.0, 2.0]),
    "a number for a list": ([1.0], ListOf(Leaf("number")), 1.0),
    "a tuple for any list": ([1.0], ListOf(Leaf("number")), (1.0,)),
    "a number for a sequence": ([1.0], AnySequence(Leaf("number")), 1.0),
    "a list for a dict": ({"a": 1.0}, Dict((("a", Leaf("number")),)), [1.0]),
    "a missing key": ({"a": 1.0}, Dict((("a", Leaf("number")),)), {"b": 1.0}),
    "a list for any dict": ({"a": 1.0}, DictOf(Leaf("number")), [1.0]),
    "text in a list": ([1.0], ListOf(Leaf("number")), ["one"]),
}


def mismatches() -> Iterator[str]:
    """Lines `contract | value | mismatch`; answers are left out."""
    for name, (contract, answer) in CONTRACTS.items():
        changed = {what: change(answer) for what, change in CHANGES.items()}
        for what, value in {**VALUES, **changed}.items():
            found = compare(value, contract, answer, NINE)
            yield f"{name} | {what} | {found or 'accepted'}"


def misfits() -> Iterator[str]:
    """Lines `what is wrong | what the author is told`."""
    for name, (value, contract, answer) in MISFITS.items():
        try:
            yield f"{name} | {compare(value, contract, answer, NINE)}"
        except Misfit as error:
            yield f"{name} | {error}"


# --- Diagnoses ----------------------------------------------------------------------------------

INPUTS = (
    np.array([[1.5, -2.25, 0.75], [3.125, 0.3, 12.5]]),
    np.array([[-7.7, 1 / 3, 9.1], [2 / 7, 5.5, -0.4]]),
    np.array([[0.1, 0.2, -33.3], [-0.7, 11.1, 0.9]]),
    np.array([[4.4, 3.3, 1e-3], [-2.0 / 3, 8.8, 7.1]]),
    np.array([[6.0, -8.0, 7.0], [9.0, 2.0, -3.0]]),
)
_SUM = 1 / 7

SHAPES: dict[str, tuple[Contract, Callable[[Any], Any]]] = {
    "pair": (Tuple((Leaf("array"), Leaf("number"))), lambda m: (m * 2.1, float(m.sum()) + _SUM)),
    "named": (
        Dict((("out", ListOf(Leaf("number", round=3))), ("size", Leaf("number", round=3)))),
        lambda m: {"out": (m * 2.1).ravel().tolist(), "size": float(m.sum()) + _SUM},
    ),
    "rounded table": (Leaf("nested_list", round=2), lambda m: m * 2.1),
    "array": (Leaf("array"), lambda m: m * 2.1),
    "number": (Leaf("number"), lambda m: float(m.sum()) + _SUM),
    "whole numbers": (ListOf(Leaf("integer")), lambda m: [int(x) for x in m.ravel() * 10]),
    "layers": (DictOf(Leaf("array")), lambda m: {"w": m * 2.1, "b": m[0] + _SUM}),
    "items": (
        List((Leaf("number"), ListOf(Leaf("array")), Leaf("boolean"), Leaf("string"))),
        lambda m: [float(m.sum()) + _SUM, [m[0] * 2.1, m[1] * 2.1], m.sum() > 20, "done"],
    ),
}  # fmt: skip

PROGRAMS: dict[str, Callable[[Value], Value]] = {
    **{name: change for name, change in CHANGES.items() if name not in ("the answer",)},
    "negated": _each(lambda a: -a if not isinstance(a, bool | np.bool_) else a),
    "absolute": _each(lambda a: abs(a)),
    "zeros": _each(lambda a: a * 0),
    "halved": _each(lambda a: a * 0.5),
    "ten times": _each(lambda a: a * 10),
    "a hair too large": _each(lambda a: a * (1 + 2e-8)),
    "floored": _each(np.floor),
    "as integers": _each(lambda a: np.asarray(a).astype(int)),
    "sorted": _each(lambda a: np.sort(a, axis=None).reshape(np.shape(a))),
    "reversed inside": _each(lambda a: a[::-1] if np.ndim(a) else a),
    "half precision": _each(lambda a: np.asarray(a).astype(np.float16)),
    "lists inside tuples": _each(lambda a: tuple(a) if np.ndim(a) else a),
}


def diagnoses() -> Iterator[str]:
    """Lines `contract | program | name: title. explanation`, with secret tests and with samples."""
    for name in SHAPES:
        yield from diagnoses_of(name)


def diagnoses_of(name: str) -> Iterator[str]:
    """Those of one contract; numbers may be named only where a sample fails: in one of them."""
    contract, made = SHAPES[name]
    sample = name == "pair"
    variant = _variant(contract, made, sample)
    for what, program in PROGRAMS.items():
        found = diagnose(variant, _results(variant, program), compare)
        said = f"{found.name}: {found.title}. {found.explanation}" if found else "nothing"
        yield f"{name}{' sample' if sample else ''} | {what} | {' '.join(said.split())}"


def _variant(contract: Contract, made: Callable[[Any], Any], sample: bool) -> Variant:
    def case(number: int, matrix: Any) -> TestCase:
        contents = Contents((matrix,), made(matrix))
        return TestCase(f"t{number}", (), sample, lambda: contents)

    return Variant(
        id="twice/said",
        title="Twice",
        entry_point="twice",
        arguments=(Argument("m", Leaf("array")),),
        returns=contract,
        tolerance=NINE,
        tests=tuple(case(number, matrix) for number, matrix in enumerate(INPUTS)),
        core=Core("", (), (), ()),
        version="v1",
        page=Page("easy", 5, "", ""),
    )


def _results(variant: Variant, program: Callable[[Value], Value]) -> list[Result]:
    made = []
    for test in variant.tests:
        answer = test.contents().answer
        fact = Returned(program(answer), True)
        right = compare(fact.value, variant.returns, answer, variant.tolerance) is None
        made.append(Result(test, right, None if right else fact))
    return made


FILES = {"mismatches": mismatches, "misfits": misfits, "diagnoses": diagnoses}


def said(file: str) -> list[str]:
    """The lines as they were when they were last looked at."""
    return (SAID / f"{file}.txt").read_text().splitlines()


if __name__ == "__main__":
    np.seterr(all="ignore")
    SAID.mkdir(exist_ok=True)
    for file, lines in FILES.items():
        (SAID / f"{file}.txt").write_text("\n".join(lines()) + "\n")
