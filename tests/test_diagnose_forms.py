"""Patterns of form at their edges: keys at every depth, types of number, changed inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from app.compare import compare
from app.contract import (
    Dict,
    DictOf,
    Leaf,
    Tuple,
)
from app.diagnose import diagnose
from app.model import Returned, Value
from tests.test_diagnose import name_of, results
from tests.test_diagnose_patterns import ARRAY, MATRICES, NUMBER, variant

DEEP = Tuple(
    (
        Dict((("w", Tuple((ARRAY, NUMBER))), ("b", DictOf(Dict((("x", ARRAY), ("y", NUMBER))))))),
        NUMBER,
    )
)


def _deep(m: Any, w: str = "w", b: str = "b", k: str = "k", n: str = "n", x: str = "x") -> Any:
    """The answer, under these keys."""
    inner = {k: {x: m * 2.0, "y": 1.5}, n: {x: m * 3.0, "y": 2.5}}
    return {w: (m * 2.1, float(m[0, 0])), b: inner}, 7.5


KEYED: dict[str, tuple[str, Callable[[Any], Value]]] = {
    "at the top": ("wrong_keys", lambda m: _deep(m, w="W", b="B")),
    "one at the top": ("wrong_keys", lambda m: _deep(m, b="B")),
    "the answer's own": ("wrong_keys", lambda m: _deep(m, k="K", n="N")),
    "below those": ("wrong_keys", lambda m: _deep(m, x="X")),
    "all": ("wrong_keys", lambda m: _deep(m, w="W", b="B", k="K", n="N", x="X")),
    "below right ones in another order": (
        "wrong_keys",
        lambda m: (dict(reversed(_deep(m, k="K", x="X")[0].items())), 7.5),
    ),
    "and a list for a tuple": ("wrong_keys", lambda m: list(_deep(m, w="W", x="X"))),
    "and a list for the tuple inside": (
        "wrong_keys",
        lambda m: ({"W": list(_deep(m)[0]["w"]), "b": _deep(m, x="X")[0]["b"]}, 7.5),
    ),
    "and an item too many": ("", lambda m: (*_deep(m, w="W"), 1.0)),
    "and an item too many inside": (
        "",
        lambda m: ({"W": (*_deep(m)[0]["w"], 1.0), "b": _deep(m)[0]["b"]}, 7.5),
    ),
    "and a key too many": ("", lambda m: (_deep(m, w="W")[0] | {"c": 1.0}, 7.5)),
    "and a key too many inside": (
        "",
        lambda m: (_deep(m)[0] | {"b": _deep(m, x="X")[0]["b"] | {"m": 1.0}}, 7.5),
    ),
    "and a number for a tuple": ("", lambda m: ({"W": 1.0, "b": _deep(m)[0]["b"]}, 7.5)),
    "and a text for a tuple": ("", lambda m: ({"W": "wb", "b": _deep(m)[0]["b"]}, 7.5)),
    "and a list for a dict": ("", lambda m: (_deep(m)[0] | {"b": [m * 2.0, m * 3.0]}, 7.5)),
    "and another shape": (
        "",
        lambda m: ({"W": (m.ravel() * 2.1, float(m[0, 0])), "b": _deep(m)[0]["b"]}, 7.5),
    ),
    "and a wrong value": ("", lambda m: (_deep(m, w="W")[0], 8.5)),
    "and a wrong value inside": (
        "",
        lambda m: (_deep(m, w="W")[0] | {"b": _deep(-m)[0]["b"]}, 7.5),
    ),
    "none, but a list for a tuple": ("wrong_container", lambda m: list(_deep(m))),
    "none": ("", _deep),
}


@pytest.mark.parametrize("name", KEYED)
def test_right_values_are_found_under_other_keys(name: str) -> None:
    """At every depth, and whatever else is wrong with the form; a wrong value is another error."""
    expected, program = KEYED[name]
    assert name_of(variant(DEEP, _deep, MATRICES), program) == expected


@pytest.mark.parametrize("other", ["none, but a list for a tuple", "and a wrong value"])
def test_the_keys_must_be_wrong_on_every_failed_test(other: str) -> None:
    """Once something else is wrong, it was not the keys."""
    shown = variant(DEEP, _deep, MATRICES)
    for place in (0, 4):

        def program(matrix: Any, place: int = place) -> Value:
            name = other if matrix is MATRICES[place] else "all"
            return KEYED[name][1](matrix)

        assert name_of(shown, program) == ""


def test_the_first_failure_says_what_the_type_should_have_been() -> None:
    """The smallest one, where they differ."""
    wholes = [np.full((2, 2), n) if n < 4 else np.full((3, 3), n) for n in range(6)]
    shown = variant(Leaf("array_like", dtype_kinds="iu"), lambda m: m, wholes)

    def program(matrix: Any) -> Value:
        floats = matrix * 1.0
        return floats.tolist() if matrix is wholes[0] else floats

    found = diagnose(shown, results(shown, program), compare)
    assert found is not None
    assert "not its type: a float was returned, an integer is asked for. `int" in found.explanation
    found = diagnose(shown, results(shown, lambda m: m * 1.0), compare)
    assert found is not None
    assert "not its type: an array of dtype float64 was returned, integers" in found.explanation


def test_numbers_for_bools_are_of_the_wrong_type() -> None:
    """Ones and zeros that stand for the right ones."""
    shown = variant(Leaf("boolean"), lambda m: bool(m[0, 0] > 4), MATRICES)
    for kind in (int, float):
        assert name_of(shown, lambda m, kind=kind: kind(m[0, 0] > 4)) == "wrong_type"  # type: ignore[misc]
        assert name_of(shown, lambda m, kind=kind: kind(m[0, 0] < 4)) == ""  # type: ignore[misc]


def test_changed_inputs_are_told_with_what_changes_them() -> None:
    """Where every number is right."""
    shown = replace(variant(ARRAY, lambda m: m * 2.1, MATRICES), preserve_inputs=True)
    found = diagnose(shown, results(shown, lambda m: Returned(m * 2.1, False)), compare)
    assert found is not None
    assert (found.name, found.title) == ("inputs_changed", "The inputs were changed")
    assert found.explanation == (
        "The returned numbers are right, but the arguments are no longer what they were before the "
        "call. `a *= b`, `a[...] = b` and `out=a` write into the caller's arrays; `a * b` makes a new "
        "one."
    )
