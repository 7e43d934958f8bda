"""Reads a YAML file so that every value knows its line, and nothing clever can hide in it.

Scalars follow YAML 1.2: `1e-6` is a number, `yes` and `2024-01-01` are strings. Anchors, aliases,
tags, duplicate keys and deep nesting are refused, so that a file cannot be a cycle or a bomb.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from app.errors import PackageError

Location: TypeAlias = tuple[str | int, ...]

DEPTH = 32
NODES = 200_000

_INT = re.compile(r"[-+]?[0-9]{1,400}\Z")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z")
_NON_FINITE = re.compile(r"([-+]?\.inf|\.nan)\Z", re.IGNORECASE)
_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}

# The C parser where the wheel has it: ten times as fast, the same events.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Document:
    """A file's data, and the line of each place in it."""

    path: Path
    data: Any
    lines: dict[Location, int]

    def line(self, location: Location) -> int:
        """The line of a place, or of the nearest place around it."""
        while location and location not in self.lines:
            location = location[:-1]
        return self.lines.get(location, 1)

    def error(self, location: Location, message: str, remedy: str = "") -> PackageError:
        place = written(location)
        text = f"{place}: {message}" if place else message
        return PackageError(text, self.path, self.line(location), remedy)


def written(location: Location) -> str:
    """A place as people write it: `tests.big.inputs[0]`."""
    parts = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
    return "".join(parts).removeprefix(".")


def parse(text: str, path: Path) -> Document:
    reading = _Reading(path)
    try:
        reading.events = yaml.parse(text, Loader=_LOADER)
        data = reading.document()
    except yaml.YAMLError as error:
        raise _not_yaml(error, text, path) from None
    return Document(path, data, reading.lines)


def _not_yaml(error: yaml.YAMLError, text: str, path: Path) -> PackageError:
    if isinstance(error, yaml.reader.ReaderError):  # a character that text must not hold
        line = text.count("\n", 0, error.position) + 1
        return PackageError(f"is not YAML: {error.reason}", path, line)
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error)
    return PackageError(f"is not YAML: {problem}", path, mark.line + 1 if mark else None)


class _Reading:
    """One pass over the parser's events."""

    events: Iterator[Any]

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: dict[Location, int] = {}

    def document(self) -> Any:
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                data = self.node(next(self.events), ())
                self.nothing_more()
                return data
        raise PackageError("is empty", self.path)

    def nothing_more(self) -> None:
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                raise self.error(event, "holds more than one document")

    def node(self, event: Any, location: Location) -> Any:
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise self.error(event, "uses an anchor or alias", "write the value out")
        if getattr(event, "tag", None) not in (None, "!"):
            raise self.error(event, f"uses the tag {event.tag}", "write plain values")
        if len(location) > DEPTH or len(self.lines) > NODES:
            raise self.error(event, "is nested too deep or too long", "use a generator")
        self.lines.setdefault(location, event.start_mark.line + 1)
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event)
        if isinstance(event, yaml.SequenceStartEvent):
            return self.sequence(location)
        return self.mapping(location)

    def sequence(self, location: Location) -> list[Any]:
        items: list[Any] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            items.append(self.node(event, (*location, len(items))))
        return items

    def mapping(self, location: Location) -> dict[str, Any]:
        entries: dict[str, Any] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = event.value if isinstance(event, yaml.ScalarEvent) else None
            if key is None:
                raise self.error(event, "has a key that is not a word")
            if key in entries:
                raise self.error(event, f"has the key {key!r} twice", "remove one of them")
            # The key's own line: an error in a long block points at its head.
            self.lines[(*location, key)] = event.start_mark.line + 1
            entries[key] = self.node(next(self.events), (*location, key))
        return entries

    def scalar(self, event: Any) -> object:
        text: str = event.value
        if event.style:  # quoted or a block: always text
            return text
        if text in _WORDS:
            return _WORDS[text]
        if _INT.match(text):
            return int(text)
        if _FLOAT.match(text):
            number = float(text)
            if number in (float("inf"), float("-inf")):
                raise self.error(event, f"{text} is too large for a 64-bit float")
            return number
        if _NON_FINITE.match(text):
            raise self.error(event, f"{text} is not written so", "write {float: NaN} or the like")
        return text

    def error(self, event: Any, message: str, remedy: str = "") -> PackageError:
        return PackageError(message, self.path, event.start_mark.line + 1, remedy)
