"""Uploaded tests: read, answered by the core in a box, and told what they are good for.

    {"tests": [{"name": "...", "labels": ["..."], "arguments": {input of the core: typed value},
                "expected": {output of the core: typed value}, "answers": {variant: typed value}}]}

`expected` and `answers` are claims and may be left out; where they are there, they must be right.
`examine` is the dry run: it changes nothing. What it accepts is what `Catalogue.overlay` takes and
the store keeps. Files in other formats (csv_tests.py, npz_tests.py) come as `Entries`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from app.errors import FieldError
from app.model import Call, Contents, Runner, TestCase, Value, Variant
from app.problem import domains, forms
from app.problem.answer import ProgramFailed, core_call, named_values, outcomes
from app.problem.catalogue import Catalogue
from app.problem.expected import wrong_answer, wrong_outputs
from app.problem.family import Family, Named
from app.problem.load import inputs_hash
from app.problem.ties import TIE_LABEL, ties
from app.problem.upload_reading import ReadTest, UploadReading, entries_of
from app.problem.uploaded import UploadedTest
from app.problem.variants import formed
from app.problem.versions import digest


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
    """One test of an upload: accepted, unless `refusals` says why not.

    place   where it stands in its file, if that has lines
    test    None where its inputs cannot be read or the core has no answer
    """

    index: int
    name: str
    refusals: tuple[FieldError, ...]
    warnings: tuple[str, ...] = ()
    fits: tuple[Fit, ...] = ()
    test: UploadedTest | None = None
    place: str = ""

    @property
    def accepted(self) -> bool:
        return self.test is not None and not self.refusals

    def case(self, fit: Fit) -> TestCase:
        """The test as one of a variant's secret tests, named by its place in the upload."""
        assert self.test is not None
        contents = Contents(fit.arguments, fit.answer)
        return TestCase(str(self.index), self.test.labels, False, lambda: contents)


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

    data   a JSON document, or Entries
    Invalid is raised only where no list of tests can be found at all; the faults of a test, all of
    them, are told in its own entry.
    """
    found = catalogue.family(family)
    entries = entries_of(data)
    reading = _reading(catalogue, found)
    read = [reading.read(i, entry, entries.place(i)) for i, entry in enumerate(entries.tests)]
    answering = _Answering(found, reading.variants)
    return DryRun(family, tuple(answering.answered(read, runner)))


def _reading(catalogue: Catalogue, family: Family) -> UploadReading:
    names = dict.fromkeys(family.tests, "in the package")
    inputs = {t.inputs_hash: f"the test {name!r}" for name, t in family.tests.items()}
    for test in catalogue.uploaded(family.name):
        names[test.name] = "uploaded before"
        inputs[inputs_hash(family.in_order(test.inputs))] = f"the test {test.name!r}"
    variants = catalogue.family_variants(family.name)
    return UploadReading(family, variants, digest(family.core), names, inputs)


@dataclass(frozen=True, slots=True)
class _Answering:
    """The core on every test that could be read, and what each variant makes of it."""

    family: Family
    variants: Sequence[Variant]

    def answered(self, read: Sequence[ReadTest], runner: Runner) -> Iterator[Examined]:
        """Runs the core for every set of parameters on every test, all at once."""
        parameters = [v.core.parameters for v in self.variants]
        if any(one.claims.outputs for one in read):
            parameters.append(self.family.parameters)
        wanted = list({repr(given): given for given in parameters}.values())
        jobs = [(one, given) for one in read if one.test is not None for given in wanted]
        calls = [self._call(one.test, dict(given)) for one, given in jobs if one.test is not None]
        found = outcomes(runner, calls)
        outputs: dict[int, list[tuple[Named, Named]]] = {one.index: [] for one in read}
        failures: dict[int, str] = {}
        for (one, given), outcome in zip(jobs, found, strict=True):
            try:
                named = named_values(outcome, self.family.outputs, "the core")
                outputs[one.index].append((dict(given), named))
            except ProgramFailed as error:
                failures.setdefault(one.index, str(error))
        for one in read:
            yield self._examined(one, outputs[one.index], failures.get(one.index, ""))

    def _call(self, test: UploadedTest, given: Named) -> Call:
        return core_call(self.family, test.inputs, given)

    def _examined(
        self, read: ReadTest, outputs: Sequence[tuple[Named, Named]], failure: str
    ) -> Examined:
        bare = Examined(read.index, read.name, read.refusals, place=read.place)
        where = f"tests[{read.index}]"
        if read.test is None or failure:
            told = (FieldError(f"{where}.arguments", failure),) if failure else ()
            return replace(bare, refusals=(*read.refusals, *told))
        test = replace(read.test, outputs=tuple(outputs))
        fits = tuple(_fit(variant, test) for variant in self.variants)
        good = tuple(fit.variant for fit in fits if fit.fits)
        errors = [*read.refusals, *self._wrong_claims(read, outputs, fits, where)]
        if not good:
            reason = "; ".join(f"{fit.variant}: {fit.reasons[0]}" for fit in fits)
            errors.append(FieldError(f"{where}.arguments", f"fits no variant ({reason})"))
        return replace(
            bare,
            refusals=tuple(errors),
            warnings=tuple(_warnings(self.variants, test, fits, self.family)),
            fits=fits,
            test=replace(test, variants=good),
        )

    def _wrong_claims(
        self,
        read: ReadTest,
        outputs: Sequence[tuple[Named, Named]],
        fits: Sequence[Fit],
        where: str,
    ) -> Iterator[FieldError]:
        if read.claims.outputs:
            core = next(found for given, found in outputs if given == dict(self.family.parameters))
            yield from wrong_outputs(read.claims.outputs, core, f"{where}.expected")
        for variant, fit in zip(self.variants, fits, strict=True):
            if fit.variant in read.claims.answers:
                claimed, place = read.claims.answers[fit.variant], f"{where}.answers.{fit.variant}"
                if fit.fits:
                    yield from wrong_answer(claimed, variant, fit.answer, place)
                else:
                    yield FieldError(place, f"the test does not fit: {fit.reasons[0]}")


def _fit(variant: Variant, test: UploadedTest) -> Fit:
    given = dict(variant.core.parameters)
    outputs = next(found for parameters, found in test.outputs if parameters == given)
    try:
        contents = formed(variant, test.inputs, outputs)
    except forms.Unfit as error:
        return Fit(variant.name, (str(error),))
    named = {a.name: v for a, v in zip(variant.arguments, contents.arguments, strict=True)}
    reasons = tuple(f"{e.where}: {e.message}" for e in domains.misfits(variant.arguments, named))
    return Fit(variant.name, reasons[:5], contents.arguments, contents.answer)


def _warnings(
    variants: Sequence[Variant], test: UploadedTest, fits: Sequence[Fit], family: Family
) -> Iterator[str]:
    """What does not forbid a test, but an author should know."""
    for label in test.labels:
        if isinstance(label, str) and label not in family.labels:
            yield f"the label {label[:80]!r} is new to the family: learners get no hint for it"
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
