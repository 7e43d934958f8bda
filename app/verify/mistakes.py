"""Every mistake must show: in a secret test at least, in three where only chance separates it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from app.compare import Misfit, compare
from app.contract import Contract
from app.model import Fact, Mismatch, Mistake, Raised, Returned, TestCase
from app.problem import forms
from app.problem.answer import outcomes
from app.problem.predictions import BIG, numbers_in
from app.problem.versions import digest
from app.verify.closeness import worst_ratio
from app.verify.form_mistakes import form_mistakes, rounded_answer
from app.verify.report import Reason
from app.verify.subject import Subject, small_first

BY_CHANCE = 3  # secret tests that a mistake must fail where only chance separates it
OUTSIDE = 10.0  # times the allowed error, on some test
CHANCE_UNITS = 20.0  # half units of a rounded leaf within which a difference is luck


@dataclass(slots=True)
class Shown:
    """Where a mistake shows: the secret tests that it fails, and how clearly.

    A mistake runs no further once that is enough: small tests come first, big ones see few.
    """

    failed: list[str] = field(default_factory=list)
    clearly: bool = False  # by its form, by an exception, or ten times outside the tolerance
    on_unrounded: bool = False

    def enough(self) -> bool:
        if self.clearly:
            return True
        return not self.on_unrounded and len(self.failed) >= BY_CHANCE


@dataclass(slots=True)
class MistakeRuns:
    """What mistakes do on tests, each run once however many rules ask."""

    subject: Subject
    facts: dict[tuple[str, str], Fact | None] = field(default_factory=dict)

    def on(self, test: TestCase, mistakes: Sequence[Mistake]) -> list[Fact | None]:
        """The facts in the variant's form, rounded as a learner would; None where there is none."""
        missing = [m for m in mistakes if (m.name, test.name) not in self.facts]
        calls = [self.subject.mistake_call(mistake.source, test) for mistake in missing]
        for mistake, outcome in zip(missing, outcomes(self.subject.runner, calls), strict=True):
            self.facts[mistake.name, test.name] = formed(self.subject, outcome.fact)
        return [self.facts[mistake.name, test.name] for mistake in mistakes]


def value_mistakes(subject: Subject, runs: MistakeRuns) -> Iterator[Reason]:
    """Each mistake of the family, on the variant's own arguments."""
    shown = {mistake.name: Shown() for mistake in subject.variant.mistakes}
    for test in small_first(subject):
        hidden = [m for m in subject.variant.mistakes if not shown[m.name].enough()]
        for mistake, fact in zip(hidden, runs.on(test, hidden), strict=True):
            _note(subject, test, fact, shown[mistake.name])
    for mistake in subject.variant.mistakes:
        yield from _verdict(subject, mistake, shown[mistake.name])


def coinciding(subject: Subject, runs: MistakeRuns) -> Iterator[Reason]:
    """Mistakes that no test of the variant tells apart share one title: learners are told one."""
    groups = [list(subject.variant.mistakes)]
    tests = [t for t in subject.variant.tests if numbers_in(t.contents().arguments) <= BIG]
    for test in tests:
        mixed = [group for group in groups if len({m.title for m in group}) > 1]
        runs.on(test, [mistake for group in mixed for mistake in group])
        groups = [part for group in mixed for part in _parted(subject, test, group, runs)]
    for group in groups:
        titles = sorted({mistake.title for mistake in group})
        if len(titles) > 1:
            message = f"no test tells these apart, give them one title: {'; '.join(titles)}"
            path = subject.family.folder.shown(f"mistakes/{group[0].name}.py")
            yield subject.reason("coinciding", message, path)


def _parted(
    subject: Subject, test: TestCase, group: Sequence[Mistake], runs: MistakeRuns
) -> list[list[Mistake]]:
    """The group in parts that do the same on this test."""
    parts: list[tuple[Fact | None, list[Mistake]]] = []
    for mistake, fact in zip(group, runs.on(test, group), strict=True):
        for known, part in parts:
            if _alike(subject, known, fact):
                part.append(mistake)
                break
        else:
            parts.append((fact, [mistake]))
    return [part for _, part in parts]


def _alike(subject: Subject, one: Fact | None, other: Fact | None) -> bool:
    """Whether two mistakes did the same, as far as a learner's program can show it."""
    if not isinstance(one, Returned) or not isinstance(other, Returned):
        return _outcome(one) == _outcome(other)
    variant = subject.variant
    if variant.preserve_inputs and one.inputs_unchanged != other.inputs_unchanged:
        return False
    try:
        return compare(one.value, variant.returns, other.value, variant.tolerance) is None
    except Misfit:
        return digest(one.value) == digest(other.value)


def _outcome(fact: Fact | None) -> tuple[str, str]:
    """What kind of end it was: the type of an exception counts, its message does not."""
    return type(fact).__name__, fact.type_name if isinstance(fact, Raised) else ""


def formed(subject: Subject, fact: Fact) -> Fact | None:
    """The fact in the variant's form, rounded as a learner would; None where it has none."""
    if not isinstance(fact, Returned) or type(fact.value) is not dict:
        return fact
    try:
        answer = forms.answer(subject.variant, fact.value)
        return replace(fact, value=rounded_answer(subject.variant.returns)(answer))
    except (forms.Unfit, TypeError, ValueError):
        return None


def _note(subject: Subject, test: TestCase, fact: Fact | None, shown: Shown) -> None:
    variant = subject.variant
    if not isinstance(fact, Returned):
        shown.failed.append(test.name)
        shown.clearly = True
        return
    answer = test.contents().answer
    mismatch = compare(fact.value, variant.returns, answer, variant.tolerance)
    if mismatch is None:
        if variant.preserve_inputs and not fact.inputs_unchanged:
            shown.failed.append(test.name)
            shown.clearly = True
        return
    shown.failed.append(test.name)
    ratio = worst_ratio(variant, fact.value, answer)
    shown.on_unrounded |= ratio > 1
    shown.clearly |= mismatch.kind != "value" or ratio >= OUTSIDE or _far(mismatch)


def _far(mismatch: Mismatch) -> bool:
    """Whether a rounded number is off by more than chance would have it."""
    worst = mismatch.largest
    if worst is None or worst.error is None or worst.allowed is None:
        return True
    return worst.error > CHANCE_UNITS * worst.allowed


def _verdict(subject: Subject, mistake: Mistake, shown: Shown) -> Iterator[Reason]:
    path = subject.family.folder.shown(f"mistakes/{mistake.name}.py")
    if not shown.failed:
        remedy = "add a test that shows it, or name the variant in its NOT_IN"
        message = f"{mistake.title!r} passes every secret test ({remedy})"
        yield subject.reason("mistakes_show", message, path)
    elif shown.on_unrounded and not shown.clearly:
        message = f"{mistake.title!r} is nowhere ten times outside the tolerance"
        yield subject.reason("tolerance_room", message, path)
    elif not shown.enough():
        message = (
            f"{mistake.title!r} fails {len(shown.failed)} secret test(s), by chance; "
            f"{BY_CHANCE} are asked for"
        )
        yield subject.reason("mistakes_show", message, path)


def mistakes_of_form(subject: Subject) -> Iterator[Reason]:
    """The mistakes that the contract itself invites, made from the answers."""
    variant = subject.variant
    tests = [t for t in subject.secret if numbers_in(t.contents().arguments) <= BIG]
    for mistake in form_mistakes(variant.returns, variant.tolerance):
        failed = sum(
            _fails(subject, test, mistake.returned(test.contents().answer)) for test in tests
        )
        wanted = BY_CHANCE if mistake.chance else 1
        if failed < wanted:
            message = f"{mistake.title!r} fails {failed} secret test(s); {wanted} asked for"
            yield subject.reason("form_shows", message, ("tests",))


def _fails(subject: Subject, test: TestCase, value: object) -> bool:
    contract: Contract = subject.variant.returns
    answer = test.contents().answer
    return compare(value, contract, answer, subject.variant.tolerance) is not None
