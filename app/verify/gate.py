"""The rules in their order, and what comes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from app.errors import NotFound, PackageError
from app.model import Runner
from app.problem import load
from app.problem.catalogue import Loaded, load_package
from app.problem.folder import Folder
from app.problem.kept import Kept
from app.problem.on_demand import OnDemand
from app.problem.statement import Renderer
from app.problem.variants import as_written
from app.verify import data, examples, mistakes, mutants, programs, statements, trivial
from app.verify.remembered import Remembered, key_of
from app.verify.report import Reason, Report, from_package_error
from app.verify.subject import Subject
from app.verify.survivors import Survivors

Progress = Callable[[str, int, int], None]  # what is examined, steps done, steps in all


_FOUNDATIONS = ("core", "generator_reproduces", "stored_answers")


@dataclass(slots=True)
class _Examination:
    """One package on its way through the gate."""

    problems: Path
    maker: OnDemand
    renderer: Renderer | None
    with_mutants: bool
    progress: Progress
    elsewhere: frozenset[str]
    reasons: list[Reason] = field(default_factory=list)
    remarks: list[Reason] = field(default_factory=list)
    figures: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def package(self, name: str, only: Sequence[str]) -> Report:
        loaded = load_package(self.problems, name, self.maker)
        self.reasons += [from_package_error(name, error) for error in loaded.broken]
        try:
            self._family(loaded, only)
        except PackageError as error:  # a big test could not be made
            self.reasons.append(from_package_error(name, error, "core"))
        return Report(name, tuple(self.reasons), tuple(self.remarks), self.figures)

    def _family(self, loaded: Loaded, only: Sequence[str]) -> None:
        if loaded.family is None:
            return
        chosen = [v for v in loaded.variants if not only or v.name in only]
        steps = 1 + 7 * len(chosen)
        subjects = [
            Subject(loaded.family, v, *as_written(loaded.family, v.name), self.maker)
            for v in chosen
        ]
        self.progress(loaded.name, 0, steps)
        names = [variant.name for variant in loaded.variants]
        found = list(data.family_data(loaded.family, self.maker.runner, names))
        self.reasons += found
        self.reasons += statements.undecided(loaded.family, [v.name for v in chosen])
        if not subjects or any(reason.rule in _FOUNDATIONS for reason in found):
            return  # whatever else is wrong follows from it
        checked = data.check_outputs(loaded.family, subjects)
        done = 1
        for subject in subjects:
            for rules in self._rules(subject, checked):
                self.progress(subject.variant.id, done, steps)
                self.reasons += rules
                done += 1
        self.progress(loaded.name, steps, steps)

    def _rules(
        self, subject: Subject, checked: Mapping[tuple[str, str], data.Checked]
    ) -> Iterator[list[Reason]]:
        """The reasons of one step after another; each step takes about as long as the others."""
        yield [
            *data.variant_tests(subject),
            *data.independent_check(subject, checked),
            *statements.prose(subject),
            *statements.hints_and_solution(subject),
            *statements.references(subject, self.elsewhere),
            *statements.settings_told(subject),
        ]
        yield [
            *statements.samples_shown(subject),
            *examples.examples_run(subject),
            *(statements.rendered(subject, self.renderer) if self.renderer else ()),
        ]
        yield [*trivial.trivial_programs(subject), *mistakes.mistakes_of_form(subject)]
        accepted = [programs.judged(p, subject.variant, subject.runner) for p in subject.accepted]
        yield list(programs.accepted_programs(subject, accepted))
        yield list(programs.verdict_folders(subject))
        runs = mistakes.MistakeRuns(subject)
        yield [*mistakes.value_mistakes(subject, runs), *mistakes.coinciding(subject, runs)]
        yield self._mutants(subject, accepted)

    def _mutants(self, subject: Subject, accepted: Sequence[programs.Accepted]) -> list[Reason]:
        shares = [a.error_share for a in accepted]
        slowest = max((a.slowest_s for a in accepted), default=0.0)
        figures: dict[str, Any] = {
            "tests": len(subject.variant.tests),
            "secret": len(subject.secret),
            "programs": len(subject.programs),
            "largest_error_share": max(shares, default=0.0),
            "slowest_s": round(slowest, 3),
        }
        found: list[Reason] = []
        right = [
            a.program
            for a in accepted
            if a.judgement.verdict == "AC" and len(a.program.source) <= programs.LONGEST
        ]
        if self.with_mutants and right:
            result = mutants.examine(subject, right, slowest)
            if len(right) == len(subject.accepted):
                Survivors.beside(self.maker).keep(subject, result)
            figures["mutants"] = result.figures()
            found = list(result.reasons(subject))
            self.remarks += result.remarks(subject)
        self.figures[subject.variant.name] = figures
        return found


def verify(
    problems: Path,
    targets: Sequence[str],
    runner: Runner,
    cache_dir: Path,
    *,
    katex: Path | None = None,
    mutants: bool = True,
    remember: bool = False,
    progress: Progress = lambda what, done, total: None,
    elsewhere: frozenset[str] = frozenset(),
) -> tuple[Report, ...]:
    """A report on each package asked for: `family` or `family/variant`; all, where none is named.

    katex      the built script with which formulas are tried; left out, they are not
    elsewhere  problems that are served beside those of the folder
    remember   an unchanged package is not examined again: the report of last time is given
    Raises NotFound for a target that is not on disk, SandboxError where boxes cannot be had.
    """
    maker = OnDemand(runner, Kept(cache_dir))
    renderer = Renderer(katex) if katex is not None else None
    remembered = Remembered(cache_dir / "verified")

    def report(name: str, only: Sequence[str]) -> Report:
        key = ""
        if remember:
            folder = Folder(problems, name)
            key = key_of(folder, only, formulas=katex is not None, mutants=mutants)
            if (known := remembered.read(key)) is not None:
                return known
        examination = _Examination(problems, maker, renderer, mutants, progress, elsewhere)
        made = examination.package(name, only)
        if remember:
            remembered.write(key, made)
        return made

    return tuple(report(name, only) for name, only in _wanted(problems, targets).items())


def _wanted(problems: Path, targets: Sequence[str]) -> dict[str, list[str]]:
    """Family -> the variants asked for; an empty list means all of them."""
    known = load.names(problems)
    if not targets:
        return {name: [] for name in known}
    wanted: dict[str, list[str]] = {}
    for target in targets:
        family, _, variant = target.strip("/").partition("/")
        if family not in known or (variant and not _has(problems, family, variant)):
            raise NotFound(f"there is no {target!r} in {problems}")
        if not variant:
            wanted[family] = []
        elif wanted.get(family, [variant]):
            wanted.setdefault(family, []).append(variant)
    return wanted


def _has(problems: Path, family: str, variant: str) -> bool:
    return variant in Folder(problems, family).names("variants")
