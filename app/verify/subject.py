"""What is examined: one variant with its family, its programs, and boxes to run them in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from app.model import Call, Fact, Outcome, Runner, TestCase, Variant, Verdict
from app.problem import forms
from app.problem.answer import outcomes
from app.problem.document import Document, Location
from app.problem.family import Family, Named
from app.problem.metadata import VariantIn
from app.problem.on_demand import OnDemand
from app.problem.predictions import BIG, MISTAKE_LIMITS, numbers_in
from app.verify.report import Reason

FOLDERS: dict[str, Verdict] = {
    "accepted": "AC",
    "wrong_answer": "WA",
    "run_time_error": "RTE",
    "compile_error": "CE",
    "time_limit_exceeded": "TLE",
    "memory_limit_exceeded": "MLE",
    "output_limit_exceeded": "OLE",
}


@dataclass(frozen=True, slots=True)
class Program:
    """A submission that an author wrote, and the verdict it must get."""

    path: Path  # relative to the problems folder
    source: str
    verdict: Verdict


@dataclass(frozen=True)
class Subject:
    """One variant under examination."""

    family: Family
    variant: Variant
    page: Document
    written: VariantIn
    maker: OnDemand

    @property
    def runner(self) -> Runner:
        return self.maker.runner

    @property
    def secret(self) -> tuple[TestCase, ...]:
        return tuple(test for test in self.variant.tests if not test.sample)

    @property
    def accepted(self) -> tuple[Program, ...]:
        return tuple(program for program in self.programs if program.verdict == "AC")

    @cached_property
    def programs(self) -> tuple[Program, ...]:
        return tuple(_programs(self.family, self.variant.name))

    def reason(self, rule: str, message: str, at: Location | Path | None = None) -> Reason:
        """A reason against this variant, at a place of its variant.yaml or at a file."""
        if isinstance(at, tuple):
            path, line = str(self.page.path), self.page.line(at)
            return Reason(self.variant.id, rule, message, path, line)
        return Reason(self.variant.id, rule, message, str(at or ""))

    def calls(self, source: str, tests: Sequence[TestCase]) -> list[Call]:
        """A program as a submission: the entry point on each test."""
        return [
            Call(
                source,
                self.variant.entry_point,
                test.contents().arguments,
                limits=self.variant.limits,
            )
            for test in tests
        ]

    def mistake_call(self, source: str, test: TestCase) -> Call:
        """A core-shaped program on what the variant's arguments are for the core."""
        inputs = forms.inputs(self.variant, test.contents().arguments)
        arguments = forms.core_arguments(self.variant.core, inputs)
        return Call(source, "mistake", arguments, limits=MISTAKE_LIMITS)

    def family_inputs(self, name: str) -> Named:
        """A test's inputs as the family has them, made if they are not stored."""
        test = self.family.tests[name]
        return self.maker.inputs(self.family, test) if test.inputs is None else test.inputs

    def facts(self, calls: Sequence[Call]) -> list[Fact]:
        return [outcome.fact for outcome in outcomes(self.runner, calls)]


def _programs(family: Family, variant: str) -> Iterator[Program]:
    here = f"variants/{variant}/submissions"
    for folder, verdict in FOLDERS.items():
        for name in family.folder.names(f"{here}/{folder}", ".py"):
            file = f"{here}/{folder}/{name}"
            yield Program(family.folder.shown(file), family.folder.text(file), verdict)


def unknown_folders(family: Family, variant: str) -> tuple[str, ...]:
    """Folders beside the verdicts' that no verdict is named after."""
    found = family.folder.names(f"variants/{variant}/submissions")
    return tuple(name for name in found if name not in FOLDERS)


@dataclass(slots=True)
class Recorder:
    """A runner that remembers the outcomes of the first round, for figures beside the verdict."""

    runner: Runner
    outcomes: dict[int, Outcome]
    rounds: int = 0

    def run(self, calls: Sequence[Call]) -> Iterator[tuple[int, Outcome]]:
        self.rounds += 1
        first = self.rounds == 1
        for index, outcome in self.runner.run(calls):
            if first:
                self.outcomes[index] = outcome
            yield index, outcome


def small_first(subject: Subject) -> list[TestCase]:
    """The secret tests in the order in which the gate tries them: big ones meet only what is left."""
    return sorted(subject.secret, key=lambda test: numbers_in(test.contents().arguments) > BIG)
