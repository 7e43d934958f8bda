"""Does the stored data tell the truth? Rules about a family's tests, whichever variant asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.errors import PackageError
from app.model import Runner, Value
from app.problem import domains, forms, variants
from app.problem.answer import ProgramFailed, named_values, outcomes, program_call
from app.problem.family import Family, FamilyTest, Named
from app.problem.generate import asked_parameters, made_tests
from app.problem.predictions import numbers_in
from app.problem.ties import TIE_LABEL, ties
from app.problem.versions import digest
from app.verify.closeness import ulps_apart, worst_ratio
from app.verify.report import Reason, from_package_error
from app.verify.subject import Subject

CHECKED_SIZE = 10_000  # numbers in a test up to which the independent check runs
SHARE = 0.01  # of the tolerance, within which the independent check agrees
ULPS = 4.0  # the same core on another machine's libraries may differ by this much
FEWEST_SECRET = 8


def family_data(family: Family, runner: Runner, names: Sequence[str]) -> Iterator[Reason]:
    """Stored inputs and outputs are what generators and core make now; no test is there twice."""
    try:
        made = made_tests(family, runner, names=names)
    except PackageError as error:
        yield from_package_error(family.name, error, "core")
        return
    for fresh in made:
        stored = family.tests[fresh.name]
        path = str(family.folder.shown(f"data/{fresh.name}.json"))
        if fresh.inputs_hash != stored.inputs_hash:
            message = f"the generator does not make the stored inputs of {fresh.name!r} again"
            yield Reason(family.name, "generator_reproduces", message, path)
            continue
        for given, output in fresh.outputs:
            apart = ulps_apart(dict(output), dict(stored.output(given) or {}))
            if apart > ULPS:
                message = f"the core's outputs for {fresh.name!r} are not the stored ones"
                yield Reason(family.name, "stored_answers", message, path)
    yield from _duplicates(family)
    if set(names) == set(variants.names(family)):  # a broken variant may well be the one that asks
        yield from _unused(family, names)


def _duplicates(family: Family) -> Iterator[Reason]:
    first: dict[str, str] = {}
    for name, test in family.tests.items():
        known = first.setdefault(test.inputs_hash, name)
        if known != name:
            line = family.document.line(("tests", name))
            message = f"{name!r} has the same inputs as {known!r}"
            yield Reason(family.name, "duplicates", message, str(family.document.path), line)


def _unused(family: Family, names: Sequence[str]) -> Iterator[Reason]:
    asked = asked_parameters(family, names)
    for name in family.tests:
        if name not in asked:
            line = family.document.line(("tests", name))
            message = f"no variant asks for the test {name!r}"
            yield Reason(family.name, "unused_test", message, str(family.document.path), line)


# --- The independent check -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Checked:
    """What check.py says about one test with one set of parameters."""

    test: str
    parameters: str  # digest
    outputs: Named | None
    failure: str = ""


def check_outputs(family: Family, subjects: list[Subject]) -> Mapping[tuple[str, str], Checked]:
    """Runs check.py once for each test and set of parameters that some variant asks for."""
    jobs: dict[tuple[str, str], tuple[FamilyTest, Named, Named]] = {}
    for subject in subjects:
        parameters = dict(subject.variant.core.parameters)
        for test in subject.variant.tests:
            inputs = subject.family_inputs(test.name)
            if numbers_in(dict(inputs)) <= CHECKED_SIZE:
                key = (test.name, digest(parameters))
                jobs[key] = (family.tests[test.name], inputs, parameters)
    calls = [
        program_call(family.check, "check", family.positional(inputs, given))
        for _, inputs, given in jobs.values()
    ]
    runner = subjects[0].runner
    found: dict[tuple[str, str], Checked] = {}
    for (name, given), outcome in zip(jobs, outcomes(runner, calls), strict=True):
        try:
            named = named_values(outcome, family.outputs, "check.py")
            found[name, given] = Checked(name, given, named)
        except ProgramFailed as error:
            found[name, given] = Checked(name, given, None, str(error))
    return found


def independent_check(
    subject: Subject, checked: Mapping[tuple[str, str], Checked]
) -> Iterator[Reason]:
    """The independent check agrees with the core within a hundredth of the tolerance."""
    variant = subject.variant
    given = digest(dict(variant.core.parameters))
    path = subject.family.folder.shown("check.py")
    for test in variant.tests:
        found = checked.get((test.name, given))
        if found is None:
            continue
        if found.outputs is None:
            yield subject.reason("independent_check", f"on {test.name!r} {found.failure}", path)
            continue
        try:
            answer = forms.answer(variant, found.outputs)
        except forms.Unfit as error:
            yield subject.reason("independent_check", f"on {test.name!r}: {error}", path)
            continue
        ratio = worst_ratio(variant, answer, test.contents().answer, guards=True)
        if ratio > SHARE:
            message = (
                f"core and check differ on {test.name!r} by {ratio:.2g} of the tolerance; "
                f"{SHARE:g} is allowed"
            )
            yield subject.reason("independent_check", message, path)


# --- A variant's tests ---------------------------------------------------------------------------


def variant_tests(subject: Subject) -> Iterator[Reason]:
    """Enough tests; arguments that fit the contract; ties labelled."""
    secret = len(subject.secret)
    if secret < FEWEST_SECRET:
        message = f"{secret} secret tests; at least {FEWEST_SECRET} are asked for"
        yield subject.reason("test_count", message, ("tests",))
    for test in subject.variant.tests:
        yield from _fits(subject, test.name, test.contents().arguments)
        labelled = TIE_LABEL in test.labels
        tied = next(ties(subject.variant.returns, test.contents().answer), None)
        if tied is not None and not labelled:
            message = f"the answer {tied!r} of {test.name!r} lies on a tie: label it {TIE_LABEL!r}"
            yield subject.reason("ties", message, ("tests",))


def _fits(subject: Subject, name: str, values: tuple[Value, ...]) -> Iterator[Reason]:
    named = {a.name: v for a, v in zip(subject.variant.arguments, values, strict=True)}
    for error in list(domains.misfits(subject.variant.arguments, named))[:1]:
        message = f"{name!r} does not fit the contract: {error.where}: {error.message}"
        yield subject.reason("contract_fits", message, ("arguments",))
