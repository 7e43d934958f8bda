"""The page's pure modules, run in the JavaScript engine that also typesets formulas."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import quickjs  # type: ignore[import-untyped]  # ships no types

PARTS = Path(__file__).resolve().parent.parent.parent / "static" / "parts"


def called(modules: str, function: str, *arguments: object) -> Any:
    """What an exported function returns, or `{"wrong": message, "at": place}`."""
    engine = quickjs.Context()
    for module in modules.split():
        source = (PARTS / module).read_text(encoding="utf-8")
        engine.eval(re.sub(r"^import .*?;$|^export ", "", source, flags=re.MULTILINE | re.DOTALL))
    call = f"{function}({', '.join(json.dumps(argument) for argument in arguments)})"
    answer = engine.eval(
        "(() => { try { return JSON.stringify({value: " + call + " ?? null}); }"
        " catch (error) { return JSON.stringify({wrong: error.message, at: error.at ?? -1}); } })()"
    )
    result: dict[str, Any] = json.loads(answer)
    return result.get("value", result)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.5", 1.5),
        (" -3 ", -3),
        ("1_000", 1000),
        (".5e-3", 0.0005),
        ("3.", 3),
        ("True", True),
        ("None", None),
        ("'a\\'b'", "a'b"),
        ("[]", []),
        ("[[1, 2], [3,],]", [[1, 2], [3]]),
        ("(1)", 1),
        ("(1,)", {"tuple": [1]}),
        ("()", {"tuple": []}),
        ("nan", {"float": "NaN"}),
        ("-np.inf", {"float": "-Infinity"}),
        ("-∞", {"float": "-Infinity"}),
        ("float('inf')", {"float": "Infinity"}),
        ("{'a': [1, 2]}", {"dict": [["a", [1, 2]]]}),
        ("np.array([1, 2])", {"array": [1, 2], "dtype": "int64"}),
        ("np.array([1., 2])", {"array": [1, 2], "dtype": "float64"}),
        ("array([[1, np.nan]])", {"array": [[1, "NaN"]], "dtype": "float64"}),
        ("np.array([1, 2], dtype=np.float32)", {"array": [1, 2], "dtype": "float32"}),
        ("[1, # one\n 2]", [1, 2]),
    ],
)
def test_values_are_read_as_python_writes_them(text: str, value: object) -> None:
    """What people paste from a notebook works in the fields for custom input."""
    assert called("literal.js", "parseLiteral", text) == value


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        ("", 0, "Type a value"),
        ("[1, 2", 0, "never closed"),
        ("[1 2]", 3, "comma is missing"),
        ("[1,, 2]", 3, "not a number"),
        ("1 2", 2, "does not belong"),
        ("1e999", 5, "beyond the range"),
        ("__import__('os')", 0, "not a number or a list"),
        ("[" * 100, 65, "too deeply"),
        ("np.array([1)", 11, "comma is missing"),
        ("{a: 1}", 1, 'stands in quotes: "a"'),
        ("{'a': {layer_1: 2}}", 7, '"layer_1"'),
    ],
)
def test_what_cannot_be_read_says_where_and_why(text: str, at: int, words: str) -> None:
    """The message stands at the field and counts characters."""
    wrong = called("literal.js", "parseLiteral", text)
    assert words in wrong["wrong"]
    assert wrong["at"] == at


def test_programs_are_compared_line_by_line() -> None:
    """Kept, removed and added lines, in reading order."""
    assert called("lines.js", "compared", "a\nb\nc", "a\nx\nc\nd") == [
        [" ", "a"],
        ["-", "b"],
        ["+", "x"],
        [" ", "c"],
        ["+", "d"],
    ]
    assert called("lines.js", "compared", "", "") == [[" ", ""]]


def test_numbers_are_aligned_by_their_points() -> None:
    """Columns of a difference can be read downwards."""
    assert called("verdicts.js", "aligned", ["1.5", "-12.25", "3"]) == [
        "  1.5 ",
        "-12.25",
        "  3   ",
    ]
    widths = {len(text) for text in called("verdicts.js", "aligned", ["NaN", "1e-07", "∞", "0.1"])}
    assert len(widths) == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.39999999999, "0.4"),
        (6.000000000000001e-10, "6e-10"),
        (0, "0"),
        (None, ""),
        ({"float": "Infinity"}, "∞"),
        ({"float": "NaN"}, "NaN"),
    ],
)
def test_differences_are_short(value: object, text: str) -> None:
    """Three digits, and signs for what is not finite."""
    assert called("verdicts.js", "magnitude", value) == text


def test_signs_that_cannot_be_seen_are_made_visible() -> None:
    """Output cannot colour, hide, or turn round what stands on the page."""
    shown = called("verdicts.js", "visible", "a\x1b[1mb\u202ec\x00d\n\te\u200b")
    assert shown == "a␛[1mb⟨U+202E⟩c␀d\n\te⟨U+200B⟩"


def test_arrays_worth_looking_at_are_found() -> None:
    """From six entries on, of one or two axes; shortened values stay text."""
    both = "literal.js strips.js"
    assert called(both, "gridsIn", "([array([1, 2, 3, -4, 5, 6]), array([1.0])], 5.0)") == [
        {"path": "[0][0]", "rows": [[1, 2, 3, -4, 5, 6]]}
    ]
    assert called(both, "gridsIn", "{'a': [[1, 2, 3], [4, 5, 6]]}") == [
        {"path": "a", "rows": [[1, 2, 3], [4, 5, 6]]}
    ]
    assert called(both, "gridsIn", "[[1, 2, 3], [4, 5]]") == []
    assert called(both, "gridsIn", "[1.0, 2, 3, 4, 5, 6, … 997 more]") == []


STARTER = "def f(): pass"
HERE = {"text": "mine", "at": 5, "revision": 3, "saved": False}
THERE = {"source": "theirs", "revision": 4, "savedAt": 9}


@pytest.mark.parametrize(
    ("local", "remote", "text", "revision", "choose"),
    [
        (None, None, STARTER, 0, False),
        (None, THERE, "theirs", 4, False),
        (HERE, None, "mine", 0, False),
        (HERE, {**THERE, "source": "mine"}, "mine", 4, False),
        (HERE, {**THERE, "revision": 3}, "mine", 3, False),
        (HERE, {**THERE, "revision": 2}, "mine", 3, False),
        ({**HERE, "saved": True}, THERE, "theirs", 4, False),
        ({**HERE, "text": STARTER}, THERE, "theirs", 4, False),
        (HERE, THERE, "mine", 3, True),
        ({"text": "kept long ago", "at": 1}, THERE, "kept long ago", 0, True),
    ],
    ids=[
        "nothing yet",
        "only there",
        "only here",
        "the same",
        "typed on",
        "an old page",
        "newer there",
        "untouched here",
        "both changed",
        "never sent",
    ],
)
def test_of_two_copies_the_newer_goes_on_and_of_two_changes_somebody_chooses(
    local: object, remote: object, text: str, revision: int, choose: bool
) -> None:
    """What this browser keeps, against what the server has."""
    found = called("settle.js", "settled", local, remote, STARTER)
    assert (found["text"], found["revision"]) == (text, revision)
    assert found["other"] == (THERE if choose else None)


def test_attempts_of_browser_and_server_are_one_list() -> None:
    """Newest first, each once: the server's verdict counts, the program may come from either."""
    kept = [{"id": "a", "at": 1, "verdict": "JE", "source": "text"}]
    told = [
        {"id": "a", "at": 1, "verdict": "AC", "source": None},
        {"id": "b", "at": 2, "verdict": None, "source": None},
    ]
    assert called("attempts.js", "merged", kept, told) == [
        {"id": "b", "at": 2, "verdict": None, "source": None},
        {"id": "a", "at": 1, "verdict": "AC", "source": "text"},
    ]


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (None, "Waiting for its turn"),
        (1, "Waiting for its turn"),
        (2, "2nd in the queue"),
        (3, "3rd in the queue"),
        (11, "11th in the queue"),
        (12, "12th in the queue"),
        (21, "21st in the queue"),
        (113, "113th in the queue"),
    ],
)
def test_a_place_in_the_queue_is_said_when_it_matters(place: int | None, words: str) -> None:
    """From the second place on."""
    assert called("judging.js", "queueWords", place) == words
