"""Uploaded tests: read, answered by the core in a box, and told what they are good for.

    {"tests": [{"name": "...", "labels": ["..."], "arguments": {input of the core: typed value}}]}

`examine` is the dry run: it changes nothing. What it accepts is what `Catalogue.overlay` takes and
the store keeps.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn

import numpy as np

from app.errors import FieldError, Invalid
from app.model import Call, Runner, Value, Variant
from app.problem import domains, forms, typed
from app.problem.answer import ProgramFailed, core_call, named_values, outcomes
from app.problem.catalogue import Catalogue
from app.problem.family import Family, Named
from app.problem.load import inputs_hash
from app.problem.ties import TIE_LABEL, ties
from app.problem.uploaded import UploadedTest
from app.problem.versions import digest

MAX_TESTS = 1000
MAX_NODES = 2_000_000
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}\Z")
_LABEL = re.compile(r"[^\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]{1,80}\Z")


@dataclass(frozen=True, slots=True)
class Fit:
    """What a test is for one variant: its arguments and answer there, or why it does not fit."""

    variant: str
    reasons: tuple[str, ...] = ()
    arguments: tuple[Value, ...] = ()
    answer: Value = None

    @property
    def fits(self) -> bool:
        return not self.reasons


@dataclass(frozen=True, slots=True)
class Examined:
    """One test of an upload: accepted, unless `refusals` says why not."""

    index: int
    name: str
    refusals: tuple[FieldError, ...]
    warnings: tuple[str, ...] = ()
    fits: tuple[Fit, ...] = ()
    test: UploadedTest | None = None


@dataclass(frozen=True, slots=True)
class DryRun:
    """What an upload would do to a family."""

    family: str
    tests: tuple[Examined, ...]

    @property
    def accepted(self) -> tuple[UploadedTest, ...]:
        return tuple(e.test for e in self.tests if e.test is not None and not e.refusals)

    @property
    def refusals(self) -> tuple[FieldError, ...]:
        return tuple(error for e in self.tests for error in e.refusals)


def examine(catalogue: Catalogue, family: str, data: object, runner: Runner) -> DryRun:
    """Reads every test of an upload and runs the core on it. Raises Invalid, NotFound, SandboxError.

    Invalid is raised only where no list of tests can be found at all; a fault in a test is told in
    its own entry.
    """
    examination = _Examination(catalogue, catalogue.family(family))
    read = [examination.read(i, entry) for i, entry in enumerate(_entries(data))]
    return DryRun(family, tuple(examination.answered(read, runner)))


def _entries(data: object) -> Sequence[object]:
    if not isinstance(data, Mapping) or not isinstance(data.get("tests"), list):
        _refuse("tests", 'the document is {"tests": [...]}')
    if stray := [key for key in data if key != "tests"]:
        _refuse(str(stray[0])[:40], "is not a key that is known here")
    tests: list[object] = data["tests"]
    if not tests:
        _refuse("tests", "holds no test")
    if len(tests) > MAX_TESTS:
        _refuse("tests", f"holds more than {MAX_TESTS} tests")
    return tests


class _Examination:
    """One dry run: knows the names and inputs that are taken, and counts what it has read."""

    def __init__(self, catalogue: Catalogue, family: Family):
        self.family = family
        self.variants = catalogue.family_variants(family.name)
        self.core = digest(family.core)
        self.names: set[str] = set(family.tests)
        self.inputs: dict[str, str] = {t.inputs_hash: name for name, t in family.tests.items()}
        for test in catalogue.uploaded(family.name):
            self.names.add(test.name)
            self.inputs[inputs_hash(family.in_order(test.inputs))] = test.name

    def read(self, index: int, entry: object) -> Examined:
        """The test as data: name, labels and inputs, or what is wrong with them."""
        where = f"tests[{index}]"
        if not isinstance(entry, Mapping):
            return Examined(index, "", (FieldError(where, "must be an object"),))
        name = entry.get("name")
        errors = [*self._stray(entry, where), *self._name(name, where), *_labels(entry, where)]
        try:
            inputs = self._inputs(entry.get("arguments"), f"{where}.arguments")
        except Invalid as error:
            return Examined(index, str(name)[:64], (*errors, *error.errors))
        errors += self._duplicate(str(name), inputs, f"{where}.arguments")
        if errors:
            return Examined(index, str(name)[:64], tuple(errors))
        test = UploadedTest(str(name), tuple(entry["labels"]), inputs, self.core, (), ())
        return Examined(index, test.name, (), test=test)

    def _stray(self, entry: Mapping[Any, Any], where: str) -> Iterator[FieldError]:
        for key in entry:
            if key not in ("name", "labels", "arguments"):
                yield FieldError(f"{where}.{str(key)[:40]}", "is not a key that is known here")

    def _name(self, name: object, where: str) -> Iterator[FieldError]:
        if not isinstance(name, str) or not _NAME.match(name):
            yield FieldError(
                f"{where}.name", "must be 1 to 64 small letters, digits, underscores or hyphens"
            )
        elif name in self.names:
            yield FieldError(f"{where}.name", f"there is a test {name!r} already")
        else:
            self.names.add(name)

    def _inputs(self, data: object, where: str) -> Named:
        """The core's inputs in typed JSON, as the family's contract wants them. Raises Invalid."""
        names = self.family.input_names
        if not isinstance(data, Mapping):
            _refuse(where, f"must be an object with the inputs {', '.join(names)}")
        for name in names:
            if name not in data:
                _refuse(f"{where}.{name}", "is missing")
        for key in data:
            if key not in names:
                known = ", ".join(names)
                _refuse(f"{where}.{str(key)[:40]}", f"is not an input of the core; it has {known}")
        inputs = {name: typed.value(data[name], f"{where}.{name}", MAX_NODES) for name in names}
        errors = tuple(domains.misfits(self.family.inputs, inputs, f"{where}."))
        if errors:
            raise Invalid(errors[0].message, errors)
        return inputs

    def _duplicate(self, name: str, inputs: Named, where: str) -> Iterator[FieldError]:
        known = self.inputs.setdefault(inputs_hash(inputs), name)
        if known != name:
            yield FieldError(where, f"the test {known!r} has the same inputs")

    def answered(self, read: Sequence[Examined], runner: Runner) -> Iterator[Examined]:
        """Runs the core for every set of parameters on every test that could be read, at once."""
        parameters = list(
            {repr(v.core.parameters): v.core.parameters for v in self.variants}.values()
        )
        jobs = [(e, given) for e in read if e.test is not None for given in parameters]
        found = outcomes(runner, [self._call(e, given) for e, given in jobs])
        made = list(zip(jobs, found, strict=True))
        for examined in read:
            outputs: list[tuple[Named, Named]] = []
            try:
                for (job, given), outcome in made:
                    if job is examined:
                        named = named_values(outcome, self.family.outputs, "the core")
                        outputs.append((dict(given), named))
            except ProgramFailed as error:
                place = FieldError(f"tests[{examined.index}].arguments", str(error))
                yield replace(examined, refusals=(*examined.refusals, place), test=None)
                continue
            yield self._fitted(examined, outputs)

    def _call(self, examined: Examined, given: tuple[tuple[str, Value], ...]) -> Call:
        assert examined.test is not None
        return core_call(self.family, examined.test.inputs, dict(given))

    def _fitted(self, examined: Examined, outputs: list[tuple[Named, Named]]) -> Examined:
        if examined.test is None:
            return examined
        test = replace(examined.test, outputs=tuple(outputs))
        fits = tuple(_fit(variant, test) for variant in self.variants)
        good = tuple(fit.variant for fit in fits if fit.fits)
        if not good:
            reason = "; ".join(f"{fit.variant}: {fit.reasons[0]}" for fit in fits)
            place = FieldError(f"tests[{examined.index}].arguments", f"fits no variant ({reason})")
            return replace(examined, refusals=(place,), fits=fits, test=None)
        warnings = tuple(_warnings(self.variants, test, fits, self.family))
        return replace(examined, fits=fits, warnings=warnings, test=replace(test, variants=good))


def _fit(variant: Variant, test: UploadedTest) -> Fit:
    given = dict(variant.core.parameters)
    outputs = next(found for parameters, found in test.outputs if parameters == given)
    try:
        values = forms.arguments(variant, test.inputs)
        named = {a.name: v for a, v in zip(variant.arguments, values, strict=True)}
        reasons = tuple(
            f"{e.where}: {e.message}" for e in domains.misfits(variant.arguments, named)
        )
        return Fit(variant.name, reasons[:5], values, forms.answer(variant, outputs))
    except forms.Unfit as error:
        return Fit(variant.name, (str(error),))


def _warnings(
    variants: Sequence[Variant], test: UploadedTest, fits: Sequence[Fit], family: Family
) -> Iterator[str]:
    """What does not forbid a test, but an author should know."""
    for label in test.labels:
        if label not in family.labels:
            yield f"the label {label!r} is new to the family: learners get no hint for it"
    for variant, fit in zip(variants, fits, strict=True):
        if not fit.fits:
            continue
        if not _finite(fit.answer):
            yield f"{fit.variant}: the answer is not finite"
        if TIE_LABEL not in test.labels and any(True for _ in ties(variant.returns, fit.answer)):
            yield f"{fit.variant}: the answer lies on a rounding tie; label it {TIE_LABEL!r}"


def _finite(value: Value) -> bool:
    match value:
        case float():
            return math.isfinite(value)
        case np.ndarray():
            return value.dtype.kind not in "fc" or bool(np.isfinite(value).all())
        case list() | tuple():
            return all(map(_finite, value))
        case dict():
            return all(map(_finite, value.values()))
        case _:
            return True


def _labels(entry: Mapping[Any, Any], where: str) -> Iterator[FieldError]:
    labels = entry.get("labels")
    if not isinstance(labels, list) or not labels:
        yield FieldError(f"{where}.labels", "must be a list of at least one label")
        return
    for i, label in enumerate(labels[:20]):
        if not isinstance(label, str) or not _LABEL.match(label) or label != label.strip():
            yield FieldError(f"{where}.labels[{i}]", "must be plain text of 1 to 80 characters")
        elif label in labels[:i]:
            yield FieldError(f"{where}.labels[{i}]", "is there twice")
    if len(labels) > 20:
        yield FieldError(f"{where}.labels", "holds more than 20 labels")


def _refuse(where: str, message: str) -> NoReturn:
    raise Invalid(f"{where}: {message}", (FieldError(where, message),))
