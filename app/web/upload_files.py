"""Files of tests in each format that is taken, whichever way they came."""

from __future__ import annotations

import json
from typing import Literal, TypeAlias, get_args

from starlette.exceptions import HTTPException
from starlette.requests import Request

from app.errors import FieldError, Invalid
from app.problem.csv_tests import csv_tests
from app.problem.entries import Entries, Unreadable
from app.problem.family import Family
from app.problem.npz_tests import npz_tests
from app.problem.upload_reading import MAX_TESTS
from app.web.body import parsed

UPLOAD_KIB = 16 * 1024

Format: TypeAlias = Literal["json", "jsonl", "csv", "npz"]
FORMATS: tuple[Format, ...] = get_args(Format)
MEDIA_TYPES: dict[str, Format] = {
    "application/json": "json",
    "application/x-ndjson": "jsonl",
    "application/jsonl": "jsonl",
    "text/csv": "csv",
    "application/x-npz": "npz",
    "application/octet-stream": "npz",
}


def format_sent(request: Request) -> Format:
    """The format of a body, by its media type. Refuses what is none of them."""
    kind, _, parameters = request.headers.get("content-type", "").partition(";")
    found = MEDIA_TYPES.get(kind.strip().lower())
    charset = parameters.strip().lower().replace('"', "")
    if found is None or charset not in ("", "charset=utf-8"):
        wanted = ", ".join(dict.fromkeys(MEDIA_TYPES))
        raise HTTPException(415, f"the body must be one of {wanted}, in UTF-8")
    return found


def format_named(name: str) -> Format:
    """The format of a file, by the end of its name. Raises Invalid."""
    for found in FORMATS:
        if name.lower().endswith(f".{found}"):
            return found
    message = f"the name must end in {', '.join(f'.{one}' for one in FORMATS)}"
    raise Invalid(f"file: {message}", (FieldError("file", message),))


def tests_in(content: bytes, kind: Format, family: Family) -> object:
    """The tests of a file, for `uploads.examine`. Raises Invalid, or 400 for what is not JSON."""
    if not content:
        raise HTTPException(400, "the file is empty")
    match kind:
        case "json":
            return parsed(content)
        case "jsonl":
            return _lines(content)
        case "csv":
            return csv_tests(content, MAX_TESTS)
        case "npz":
            return npz_tests(content, family.inputs, MAX_TESTS)


def _lines(content: bytes) -> Entries:
    """One test a line; a line that cannot be read takes no other along."""
    tests: list[object] = []
    places: list[str] = []
    for number, line in enumerate(content.split(b"\n"), 1):
        if not line.strip():
            continue
        if len(tests) == MAX_TESTS:
            raise Invalid(f"the file holds more than {MAX_TESTS} tests")
        tests.append(_line(line))
        places.append(f"line {number}")
    return Entries(tuple(tests), tuple(places))


def _line(line: bytes) -> object:
    try:
        return parsed(line)
    except HTTPException as error:  # told in the test's own entry, with the others
        return Unreadable(str(error.detail).replace("the body", "the line"))


def as_lines(tests: list[object]) -> bytes:
    """The same tests as JSON Lines."""
    return b"".join(json.dumps(test, ensure_ascii=False).encode() + b"\n" for test in tests)
