"""Tests from a CSV file of flat numbers: a row a test, a column a place.

    name,labels,values[0],values[1],weights[0],weights[1],expected.mean
    two_heavy,unequal weights,2,4,3,1,2.5

Labels are parted by `|`. A cell that is empty is not there, so rows may have lists of different
lengths; `[]` is an empty list. NaN, Infinity and -Infinity are written so.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from app.errors import FieldError, Invalid
from app.problem import paths
from app.problem.entries import Entries, Unreadable
from app.problem.paths import Path

MOST_COLUMNS = 4096
LABELS_APART = "|"

_INTEGER = re.compile(r"[-+]?[0-9]{1,300}\Z")
_NUMBER = re.compile(r"[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]{1,5})?\Z")
_WORDS: dict[str, object] = {
    "[]": [],
    "true": True,
    "false": False,
    "NaN": {"float": "NaN"},
    "Infinity": {"float": "Infinity"},
    "-Infinity": {"float": "-Infinity"},
}
_SECTIONS = ("expected", "answers")


def csv_tests(content: bytes, most: int) -> Entries:
    """The tests in a CSV file, at most `most`. Raises Invalid where its header or form is wrong."""
    text = _text(content)
    if any(line.count(",") >= MOST_COLUMNS for line in text.split("\n")):
        _refuse("file", f"a line has more than {MOST_COLUMNS} columns")
    rows = _rows(text)
    header = next(rows, (0, []))[1]
    columns = _columns(header)
    tests: list[object] = []
    places: list[str] = []
    for line, row in rows:
        if not any(row):
            continue
        if len(tests) == most:
            _refuse("file", f"holds more than {most} tests")
        tests.append(_test(columns, row))
        places.append(f"line {line}")
    return Entries(tuple(tests), tuple(places))


def _text(content: bytes) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        _refuse("file", f"is not UTF-8: byte {error.start}")
    if "\0" in text:
        _refuse("file", "holds a zero byte: it is not CSV")
    return text


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        _refuse("file", f"is not CSV: {error} in line {reader.line_num}")


def _columns(header: Sequence[str]) -> list[Path]:
    """Where each column belongs: name and labels, expected values, and the arguments."""
    names = [name.strip() for name in header]
    if "name" not in names or "labels" not in names:
        _refuse("header", "must have the columns name and labels, then the inputs")
    found: list[Path] = []
    for number, name in enumerate(names, 1):
        if name in names[: number - 1]:
            _refuse("header", f"has the column {name[:80]!r} twice")
        try:
            path = paths.path_of(name)
        except Invalid:
            _refuse(f"column {number}", f"{name[:80]!r} is not a place such as grads[0]")
        about = len(path) == 1 and path[0] in ("name", "labels")
        claim = len(path) > 1 and path[0] in _SECTIONS
        found.append(path if about or claim else ("arguments", *path))
    return found


def _test(columns: Sequence[Path], row: Sequence[str]) -> object:
    """A row in the shape of a JSON test."""
    if len(row) > len(columns):
        return Unreadable(f"has {len(row)} cells, the header {len(columns)}")
    sections: dict[str, list[tuple[Path, object]]] = {"arguments": []}
    test: dict[str, Any] = {}
    for path, cell in zip(columns, map(str.strip, row), strict=False):
        if path == ("name",):
            test["name"] = cell
        elif path == ("labels",):
            test["labels"] = [label.strip() for label in cell.split(LABELS_APART) if label.strip()]
        elif cell:
            sections.setdefault(str(path[0]), []).append((path[1:], _cell(cell)))
    try:
        return test | {name: paths.assembled(found) for name, found in sections.items()}
    except Invalid as error:
        return Unreadable(str(error))


def _cell(text: str) -> object:
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.match(text):
        return int(text)
    if _NUMBER.match(text):
        return float(text)  # beyond the range: infinite, and refused where it is read
    return text


def cell_of(entry: object) -> str:
    """A number, word or empty list as a cell."""
    match entry:
        case {"float": str() as word}:
            return word
        case []:
            return "[]"
        case bool():
            return str(entry).lower()
        case float() if math.isfinite(entry):
            return repr(entry)
        case _:
            return str(entry)


def _refuse(where: str, message: str) -> NoReturn:
    raise Invalid(f"{where}: {message}", (FieldError(where, message),))
