"""The tests of an upload as data: names, labels, inputs and claims, with all that is wrong in each."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from app.errors import FieldError, Invalid
from app.model import Value, Variant
from app.problem import domains, typed
from app.problem.entries import Entries, Unreadable
from app.problem.expected import Claims
from app.problem.family import Family, Named
from app.problem.load import inputs_hash
from app.problem.uploaded import UploadedTest

MAX_TESTS = 1000
MAX_NODES = 2_000_000  # numbers, lists and texts in one value
MAX_LABELS = 20
_KEYS = ("name", "labels", "arguments", "expected", "answers")
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")
_LABEL_LENGTH = 80
# Letters by category, but nothing to see: fillers of Hangul and an empty pattern of Braille.
_BLANKS = set("\u115f\u1160\u2800\u3164\uffa0")


@dataclass(frozen=True, slots=True)
class ReadTest:
    """One entry of an upload. `test` is None where its inputs cannot be read."""

    index: int
    place: str
    name: str
    refusals: tuple[FieldError, ...]
    test: UploadedTest | None = None
    claims: Claims = field(default_factory=Claims)


def entries_of(data: object) -> Entries:
    """The tests of a JSON document `{"tests": [...]}`. Raises Invalid where there are none."""
    if isinstance(data, Entries):
        entries = data
    elif not isinstance(data, Mapping) or not isinstance(data.get("tests"), list):
        _refuse("tests", 'the document is {"tests": [...]}')
    elif stray := [key for key in data if key != "tests"]:
        _refuse(str(stray[0])[:40], "is not a key that is known here")
    else:
        entries = Entries(tuple(data["tests"]))
    if not entries.tests:
        _refuse("tests", "holds no test")
    if len(entries.tests) > MAX_TESTS:
        _refuse("tests", f"holds more than {MAX_TESTS} tests")
    return entries


@dataclass(slots=True)
class UploadReading:
    """One pass over an upload: knows the names and inputs that are taken.

    core     hash of the family's core
    names    of tests that are there, with those of this upload added
    inputs   hash of inputs -> where a test with these inputs is
    """

    family: Family
    variants: Sequence[Variant]
    core: str
    names: dict[str, str]
    inputs: dict[str, str]

    def read(self, index: int, entry: object, place: str = "") -> ReadTest:
        where = f"tests[{index}]"
        if isinstance(entry, Unreadable):
            return ReadTest(index, place, "", (FieldError(where, entry.message),))
        if not isinstance(entry, Mapping):
            return ReadTest(index, place, "", (FieldError(where, "must be an object"),))
        name = entry.get("name")
        shown = name[:64] if isinstance(name, str) else ""
        errors = [*_stray(entry, where), *self._name(name, where), *_labels(entry, where)]
        inputs = self._inputs(entry.get("arguments"), f"{where}.arguments", errors)
        claims = self._claims(entry, where, errors)
        if inputs is None:
            return ReadTest(index, place, shown, tuple(errors))
        errors += self._duplicate(shown, inputs, f"{where}.arguments")
        labels = entry.get("labels")
        kept = tuple(labels) if isinstance(labels, list) else ()
        test = UploadedTest(shown, kept, inputs, self.core, (), ())
        return ReadTest(index, place, shown, tuple(errors), test, claims)

    def _name(self, name: object, where: str) -> Iterator[FieldError]:
        if not isinstance(name, str) or not _NAME.match(name):
            yield FieldError(
                f"{where}.name", "must be 1 to 64 small letters, digits, underscores or hyphens"
            )
        elif name in self.names:
            yield FieldError(
                f"{where}.name", f"there is a test {name!r} already, {self.names[name]}"
            )
        else:
            self.names[name] = "in this upload"

    def _inputs(self, data: object, where: str, errors: list[FieldError]) -> Named | None:
        """The core's inputs, as the family's contract wants them; None with the reasons in `errors`."""
        names = self.family.input_names
        if not isinstance(data, Mapping):
            message = f"must be an object with the inputs {', '.join(names)}"
            errors.append(FieldError(where, message))
            return None
        known = f"is not an input of the core; it has {', '.join(names)}"
        found = [FieldError(f"{where}.{name}", "is missing") for name in names if name not in data]
        found += [FieldError(f"{where}.{str(k)[:40]}", known) for k in data if k not in names]
        inputs = _typed(data, [name for name in names if name in data], where, found)
        if not found:
            found += domains.misfits(self.family.inputs, inputs, f"{where}.")
        errors += found
        return None if found else inputs

    def _claims(self, entry: Mapping[Any, Any], where: str, errors: list[FieldError]) -> Claims:
        variants = [variant.name for variant in self.variants]
        outputs = _section(entry, "expected", self.family.outputs, where, errors)
        return Claims(outputs, _section(entry, "answers", variants, where, errors))

    def _duplicate(self, name: str, inputs: Named, where: str) -> Iterator[FieldError]:
        hashed = inputs_hash(inputs)
        if known := self.inputs.get(hashed):
            yield FieldError(where, f"{known} has the same inputs")
        else:
            self.inputs[hashed] = f"the test {name!r}, in this upload,"


def _section(
    entry: Mapping[Any, Any],
    key: str,
    names: Sequence[str],
    where: str,
    errors: list[FieldError],
) -> Named:
    """Claimed values by name; any of the names may be left out."""
    data = entry.get(key, {})
    where = f"{where}.{key}"
    if not isinstance(data, Mapping):
        errors.append(FieldError(where, f"must be an object with any of {', '.join(names)}"))
        return {}
    for name in data:
        if name not in names:
            message = f"is not known here; there are {', '.join(names)}"
            errors.append(FieldError(f"{where}.{str(name)[:40]}", message))
    return _typed(data, [name for name in names if name in data], where, errors)


def _typed(
    data: Mapping[Any, Any], names: Sequence[str], where: str, errors: list[FieldError]
) -> dict[str, Value]:
    """The values that can be read; the others are told in `errors`."""
    found: dict[str, Value] = {}
    for name in names:
        try:
            found[name] = typed.value(data[name], f"{where}.{name}", MAX_NODES)
        except Invalid as error:
            errors.extend(error.errors)
    return found


def _stray(entry: Mapping[Any, Any], where: str) -> Iterator[FieldError]:
    for key in entry:
        if key not in _KEYS:
            yield FieldError(f"{where}.{str(key)[:40]}", "is not a key that is known here")


def _labels(entry: Mapping[Any, Any], where: str) -> Iterator[FieldError]:
    labels = entry.get("labels")
    if not isinstance(labels, list) or not labels:
        yield FieldError(f"{where}.labels", "must be a list of at least one label")
        return
    for i, label in enumerate(labels[:MAX_LABELS]):
        if not isinstance(label, str) or not plain_text(label):
            yield FieldError(f"{where}.labels[{i}]", "must be plain text of 1 to 80 characters")
        elif label in labels[:i]:
            yield FieldError(f"{where}.labels[{i}]", "is there twice")
    if len(labels) > MAX_LABELS:
        yield FieldError(f"{where}.labels", f"holds more than {MAX_LABELS} labels")


def plain_text(text: str) -> bool:
    """Whether a short text looks like what it is: nothing invisible, nothing that turns lines around."""
    return (
        1 <= len(text) <= _LABEL_LENGTH
        and text == text.strip()
        and unicodedata.is_normalized("NFC", text)
        and not any(unicodedata.category(c)[0] == "C" or c in _BLANKS for c in text)
        and not any(unicodedata.category(c) in ("Zl", "Zp") for c in text)
    )


def _refuse(where: str, message: str) -> NoReturn:
    raise Invalid(f"{where}: {message}", (FieldError(where, message),))
