"""Every mistake must show: in a secret test at least, in three where only chance separates it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from app.compare import compare
from app.contract import Contract
from app.model import Fact, Mismatch, Mistake, Returned, TestCase
from app.problem import forms
from app.problem.answer import outcomes
from app.problem.predictions import BIG
from app.verify.closeness import worst_ratio
from app.verify.form_mistakes import form_mistakes, rounded_answer
from app.verify.report import Reason
from app.verify.subject import Subject, numbers_in, small_first

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


def value_mistakes(subject: Subject) -> Iterator[Reason]:
    """Each mistake of the family, on the variant's own arguments."""
    shown = {mistake.name: Shown() for mistake in subject.variant.mistakes}
    for test in small_first(subject):
        hidden = [m for m in subject.variant.mistakes if not shown[m.name].enough()]
        _run(subject, hidden, test, shown)
    for mistake in subject.variant.mistakes:
        yield from _verdict(subject, mistake, shown[mistake.name])


def _run(
    subject: Subject, mistakes: Sequence[Mistake], test: TestCase, shown: dict[str, Shown]
) -> None:
    calls = [subject.mistake_call(mistake.source, test) for mistake in mistakes]
    for mistake, outcome in zip(mistakes, outcomes(subject.runner, calls), strict=True):
        _note(subject, test, _formed(subject, outcome.fact), shown[mistake.name])


def _formed(subject: Subject, fact: Fact) -> Fact | None:
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
        message = f"{mistake.title!r} passes every secret test"
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
