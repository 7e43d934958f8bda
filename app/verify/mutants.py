"""Every small change of an accepted program must fail a secret test, or be equivalent for a reason.

All mutants of a variant run in one go: test by test, and after each test only those that are still
alive. Most die on the first one or two, so the whole costs little more than that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from app.model import Call, Limits, TestCase
from app.verify.closeness import passes
from app.verify.equivalents import reason_for
from app.verify.operators import Mutant, mutants
from app.verify.report import Reason
from app.verify.subject import Program, Subject, small_first

EQUIVALENT_SHARE = 0.25
# A mutant that loops for ever is dead; nobody need wait the whole time limit to see it.
LEAST_TIME_S, TIMES_SLOWEST = 0.3, 5.0


@dataclass(frozen=True, slots=True)
class Candidate:
    path: Path
    mutant: Mutant


@dataclass(frozen=True, slots=True)
class Result:
    """What became of the mutants of one variant."""

    total: int
    survivors: tuple[Candidate, ...]
    equivalents: tuple[tuple[Candidate, str], ...]  # with the reason

    @property
    def killed(self) -> int:
        return self.total - len(self.survivors) - len(self.equivalents)

    @property
    def equivalent_share(self) -> float:
        return len(self.equivalents) / self.total if self.total else 0.0

    def figures(self) -> dict[str, Any]:
        reasons = Counter(reason for _, reason in self.equivalents)
        return {
            "total": self.total,
            "killed": self.killed,
            "equivalent": len(self.equivalents),
            "equivalent_share": round(self.equivalent_share, 3),
            "survived": len(self.survivors),
            "reasons": dict(reasons.most_common()),
        }

    def reasons(self, subject: Subject) -> Iterator[Reason]:
        for found in self.survivors:
            message = f"passes every secret test: {found.mutant} ({found.mutant.operator})"
            yield subject.reason("mutants", message, found.path)
        if self.equivalent_share > EQUIVALENT_SHARE:
            message = (
                f"{self.equivalent_share:.0%} of the mutants are equivalent; a quarter is allowed"
            )
            yield subject.reason("mutants", message)

    def remarks(self, subject: Subject) -> list[Reason]:
        return [
            subject.reason("equivalent", f"{found.mutant}: {reason}", found.path)
            for found, reason in self.equivalents
        ]


def examine(subject: Subject, accepted: Sequence[Program], slowest_s: float) -> Result:
    """Runs all mutants of the accepted programs; `slowest_s` is what the slowest of those takes."""
    candidates = [
        Candidate(program.path, mutant)
        for program in accepted
        for mutant in mutants(program.source)
    ]
    alive = list(range(len(candidates)))
    for test in small_first(subject):
        limits = _limits(subject.variant.limits, slowest_s)
        calls = _calls(subject, [candidates[i].mutant.source for i in alive], test, limits)
        survived = [False] * len(alive)
        for position, outcome in subject.runner.run(calls):
            survived[position] = passes(subject.variant, test, outcome.fact)
        alive = [i for i, lives in zip(alive, survived, strict=True) if lives]
        if not alive:
            break
    return _sorted_out(subject, candidates, alive)


def _limits(limits: Limits, slowest_s: float) -> Limits:
    time_s = min(limits.time_s, max(LEAST_TIME_S, slowest_s * TIMES_SLOWEST))
    return replace(limits, time_s=time_s, wall_s=min(limits.wall_s, 2 * time_s + 1))


def _calls(subject: Subject, sources: Sequence[str], test: TestCase, limits: Limits) -> list[Call]:
    arguments = test.contents().arguments
    entry_point = subject.variant.entry_point
    return [Call(source, entry_point, arguments, limits=limits) for source in sources]


def _sorted_out(subject: Subject, candidates: Sequence[Candidate], alive: Sequence[int]) -> Result:
    survivors: list[Candidate] = []
    equivalents: list[tuple[Candidate, str]] = []
    for i in alive:
        found = candidates[i]
        reason = reason_for(found.mutant, subject.variant.name, subject.family.equivalents)
        if reason:
            equivalents.append((found, reason))
        else:
            survivors.append(found)
    return Result(len(candidates), tuple(survivors), tuple(equivalents))
