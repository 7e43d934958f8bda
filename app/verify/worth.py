"""What is a test good for? Which mistakes and surviving mutants it catches, and what room it leaves.

For tests that are not in a package yet: each is tried as if it were a variant's secret test.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.model import Call, Outcome, Returned, TestCase, Variant
from app.problem.answer import outcomes
from app.problem.catalogue import Catalogue
from app.problem.variants import as_written
from app.verify.closeness import passes, worst_ratio
from app.verify.mistakes import formed
from app.verify.mutants import Candidate
from app.verify.subject import Subject
from app.verify.survivors import Survivors

MOST_CALLS = 8000  # of boxes in one look; tests beyond that are not tried


@dataclass(frozen=True, slots=True)
class Worth:
    """What one test does in one variant.

    mistakes      titles of the family's mistakes that fail it
    mutants       changes of accepted programs that pass every secret test so far and fail this one
    equivalents   such changes that are declared equivalent: this test says otherwise
    failed        accepted programs that do not pass it: the test, or the program, is wrong
    error_share   the accepted programs' largest error, as a share of the allowed one
    time_share    the slowest accepted program's time, as a share of the limit
    """

    mistakes: tuple[str, ...]
    mutants: tuple[str, ...]
    equivalents: tuple[str, ...]
    failed: tuple[str, ...]
    error_share: float
    time_share: float


def worth(
    catalogue: Catalogue, family: str, tests: Mapping[str, Sequence[TestCase]]
) -> dict[tuple[str, str], Worth]:
    """(variant, test) -> what it is good for. Raises PackageError, SandboxError.

    tests   for each variant, by name, those that fit it
    """
    found: dict[tuple[str, str], Worth] = {}
    left = MOST_CALLS
    for variant in catalogue.family_variants(family):
        if not tests.get(variant.name):
            continue
        subject = _subject(catalogue, variant)
        looking = _Looking.of(subject, Survivors.beside(catalogue.maker))
        some = tests[variant.name][: left // max(1, looking.programs)]
        left -= len(some) * looking.programs
        for test, seen in zip(some, looking.at(some), strict=True):
            found[variant.name, test.name] = seen
    return found


def _subject(catalogue: Catalogue, variant: Variant) -> Subject:
    family = catalogue.family(variant.family)
    return Subject(family, variant, *as_written(family, variant.name), catalogue.maker)


@dataclass(frozen=True, slots=True)
class _Looking:
    """Everything that is run on each test of a variant."""

    subject: Subject
    survivors: Sequence[Candidate]
    equivalents: Sequence[Candidate]

    @classmethod
    def of(cls, subject: Subject, kept: Survivors) -> _Looking:
        known = kept.of(subject)
        return cls(subject, known.survivors, [one for one, _ in known.equivalents])

    @property
    def programs(self) -> int:
        subject = self.subject
        mutants = len(self.survivors) + len(self.equivalents)
        return len(subject.variant.mistakes) + len(subject.accepted) + mutants

    def at(self, tests: Sequence[TestCase]) -> Iterator[Worth]:
        """All boxes of all tests in one go."""
        calls = [call for test in tests for call in self._calls(test)]
        found = outcomes(self.subject.runner, calls)
        for i, test in enumerate(tests):
            yield self._worth(test, found[i * self.programs : (i + 1) * self.programs])

    def _calls(self, test: TestCase) -> Iterator[Call]:
        for mistake in self.subject.variant.mistakes:
            yield self.subject.mistake_call(mistake.source, test)
        for program in self.subject.accepted:
            yield from self.subject.calls(program.source, [test])
        for candidate in (*self.survivors, *self.equivalents):
            yield from self.subject.calls(candidate.mutant.source, [test])

    def _worth(self, test: TestCase, found: Sequence[Outcome]) -> Worth:
        variant, rest = self.subject.variant, iter(found)
        caught = [
            mistake.title
            for mistake in variant.mistakes
            if (fact := formed(self.subject, next(rest).fact)) is None
            or not passes(variant, test, fact)
        ]
        accepted = [(program, next(rest)) for program in self.subject.accepted]
        failed = [p.path.name for p, out in accepted if not passes(variant, test, out.fact)]
        slowest_s = max((out.cpu_s for _, out in accepted), default=0.0)
        return Worth(
            mistakes=tuple(dict.fromkeys(caught)),
            mutants=tuple(self._killed(test, self.survivors, rest)),
            equivalents=tuple(self._killed(test, self.equivalents, rest)),
            failed=tuple(failed),
            error_share=max((_share(variant, test, out) for _, out in accepted), default=0.0),
            time_share=slowest_s / variant.limits.time_s,
        )

    def _killed(
        self, test: TestCase, candidates: Sequence[Candidate], found: Iterator[Outcome]
    ) -> Iterator[str]:
        for candidate in candidates:
            if not passes(self.subject.variant, test, next(found).fact):
                yield f"{candidate.path.name}: {candidate.mutant}"


def _share(variant: Variant, test: TestCase, outcome: Outcome) -> float:
    if not isinstance(outcome.fact, Returned):
        return 0.0
    return worst_ratio(variant, outcome.fact.value, test.contents().answer)
