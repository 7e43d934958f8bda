"""Do the words keep their promise? Examples are run, formulas typeset, references followed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from app.contract import Leaf
from app.errors import PackageError
from app.form import Pair, align
from app.model import Value
from app.notation import written
from app.problem import forms
from app.problem.family import Family
from app.problem.load import value_at
from app.problem.scaffold import DECIDE
from app.problem.statement import Renderer
from app.verify.report import Reason, from_package_error
from app.verify.subject import Subject

FEWEST_WORDS = 30


def samples_shown(subject: Subject) -> Iterator[Reason]:
    """What a sample `shows` is the core's answer, to the places that the page shows."""
    for i, sample in enumerate(subject.written.samples):
        if sample.shows is None:
            continue
        place = ("samples", i, "shows")
        shown = value_at(subject.page, place, sample.shows)
        answer = subject.variant.tests[i].contents().answer
        if not _shows(subject, shown, answer):
            message = f"{sample.test!r}: the core's answer is not what the sample shows"
            yield subject.reason("examples", message, place)


def _shows(subject: Subject, shown: Value, answer: Value) -> bool:
    formed = forms.shaped(shown, subject.variant.returns)
    return all(
        isinstance(found, Pair) and _close(found.got, found.want, found.leaf)
        for found in align(formed, subject.variant.returns, answer)
    )


def _close(got: Any, want: Any, leaf: Leaf) -> bool:
    places = leaf.display if leaf.display is not None else leaf.round
    got, want = (np.asarray(numbers, dtype=np.float64) for numbers in (got, want))
    allowed = 1e-9 * np.abs(want) if places is None else 0.5 * 10.0**-places + 1e-12 * np.abs(want)
    return bool(np.all(np.abs(got - want) <= allowed))


def prose(subject: Subject) -> Iterator[Reason]:
    """The statement says what no contract can: what to compute, and by which conventions."""
    text = subject.variant.page.statement
    file = subject.family.folder.shown(f"variants/{subject.variant.name}/statement.md")
    words = re.sub(r"```.*?```|\$[^$]*\$", " ", text, flags=re.DOTALL).split()
    if len(words) < FEWEST_WORDS:
        message = f"the statement has {len(words)} words beside code and formulas"
        yield subject.reason("prose", message, file)
    if "$" not in text and "`" not in text:
        yield subject.reason("prose", "the statement has neither a formula nor code", file)


def rendered(subject: Subject, renderer: Renderer) -> Iterator[Reason]:
    """Every formula can be typeset."""
    page, here = subject.variant.page, f"variants/{subject.variant.name}"
    hints = "\n\n".join(hint.markdown for hint in page.hints)
    texts: Sequence[tuple[str, str]] = (
        (page.statement, f"{here}/statement.md"),
        (hints, f"{here}/hints.md"),
        (page.worked_solution, f"{here}/solution.md"),
        (page.lesson, "lesson.md"),
    )
    for text, file in texts:
        try:
            renderer.render(text, subject.family.folder.shown(file))
        except PackageError as error:
            yield from_package_error(subject.variant.id, error, "formulas")


def references(subject: Subject, elsewhere: frozenset[str]) -> Iterator[Reason]:
    """The next problem exists, in the same folder or among those that are served elsewhere."""
    following = subject.variant.page.next
    family, _, name = following.partition("/")
    known = subject.family.folder.problems / family / "variants" / name / "variant.yaml"
    if following and following not in elsewhere and not known.is_file():
        message = f"the next problem {following!r} does not exist"
        yield subject.reason("references", message, ("next",))


def settings_told(subject: Subject) -> Iterator[Reason]:
    """What a variant sets differently than its family is told in words, and so is the usual value."""
    usual = dict(subject.family.parameters)
    values = dict(subject.variant.core.parameters)
    for name in subject.written.parameters:
        for value in (values[name], usual[name]):
            if not subject.family.asked(name, value):
                message = f"`asks:` of family.yaml has no words for {name} = {written(value)}"
                yield subject.reason("asks", message, ("parameters", name))
                break


def hints_and_solution(subject: Subject) -> Iterator[Reason]:
    """A learner who is stuck finds hints, and a worked solution at the end."""
    here = Path("variants") / subject.variant.name
    if not subject.variant.page.hints:
        yield subject.reason("prose", "there are no hints", subject.family.folder.shown(str(here)))
    if not subject.variant.page.worked_solution.strip():
        message = "there is no worked solution"
        yield subject.reason("prose", message, subject.family.folder.shown(str(here)))


def undecided(family: Family, variants: Sequence[str]) -> Iterator[Reason]:
    """Nothing is left of what a new package asks its author to decide.

    variants   those that are examined; texts of the others are theirs to finish
    """
    for file in family.folder.texts():
        parts = file.split("/")
        if parts[0] == "variants" and parts[1] not in variants:
            continue
        where = f"{family.name}/{parts[1]}" if parts[0] == "variants" else family.name
        for number, line in enumerate(family.folder.text(file).splitlines(), 1):
            if re.search(rf"\b{DECIDE}\b", line):
                what = line.partition(DECIDE)[2].strip(' :"}') or "what stands here"
                path = str(family.folder.shown(file))
                yield Reason(where, "decide", f"decide: {what}", path, number)
