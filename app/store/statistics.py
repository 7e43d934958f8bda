"""How programs fare: on a problem, and on each of its tests. Counted over what is shown, by SQL and
NumPy; no judgement is read for it."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import and_, bindparam, func, select

from app.model import Verdict
from app.store.database import AnyRow, Database
from app.store.results import LETTERS, STEPS, columns, counted, memory_mib, time_ms
from app.store.schema import results, solved, submissions, test_lists
from app.store.submissions import now_ms

_R, _S, _V = results.c, submissions.c, solved.c
_ABOUT = _R.problem == bindparam("problem")
_SINCE = _R.sent_ms >= bindparam("since_ms")
_OVERVIEW = (
    select(_R.problem, _R.verdict, func.count().label("many"))
    .where(_R.shown, _SINCE)
    .group_by(_R.problem, _R.verdict)
)
_TRIED = (
    select(_S.problem, _S.owner).where(~_S.trial, _S.created_ms >= bindparam("since_ms")).distinct()
)
_ALL_TRIED, _ONE_TRIED = (
    tried.subquery() for tried in (_TRIED, _TRIED.where(_S.problem == bindparam("problem")))
)
_LEARNERS, _LEARNERS_OF_ONE = (
    select(
        tried.c.problem,
        func.count(tried.c.owner).label("tried"),  # nobody's are nobody
        func.count(_V.number).label("solved"),
    )
    .join_from(
        tried, solved, and_(_V.owner == tried.c.owner, _V.problem == tried.c.problem), isouter=True
    )
    .group_by(tried.c.problem)
    for tried in (_ALL_TRIED, _ONE_TRIED)
)
_CAUSES = (
    select(_R.verdict, _R.cause, func.count().label("many"))
    .where(_R.shown, _ABOUT, _SINCE)
    .group_by(_R.verdict, _R.cause)
)
# Characters of all judgements of a version, joined: one row, however many there are.
_TESTS = (
    select(
        _R.package_version,
        _R.verdict,
        func.max(_R.judgement).label("newest"),
        func.count().label("many"),
        func.aggregate_strings(_R.verdicts, "").label("verdicts"),
        func.aggregate_strings(_R.times, "").label("times"),
        func.aggregate_strings(_R.memories, "").label("memories"),
    )
    .where(_R.shown, _ABOUT, _SINCE, _R.verdict != "JE")
    .group_by(_R.package_version, _R.verdict)  # in the order of the index: nothing is sorted
)
_LISTS = select(test_lists).where(test_lists.c.problem == bindparam("problem"))
_PASSED = ord(LETTERS["AC"])
_DAY_MS = 86_400_000


@dataclass(frozen=True, slots=True)
class Spread:
    """How often each step of time or memory occurs."""

    counts: tuple[int, ...] = (0,) * STEPS

    def step(self, share: float) -> int | None:
        """The step at or under which this share lies; None where nothing is known."""
        total = sum(self.counts)
        if not total:
            return None
        reached = np.cumsum(self.counts) >= share * total
        return int(np.argmax(reached))

    def time_ms(self, share: float) -> float | None:
        """To within a tenth."""
        step = self.step(share)
        return None if step is None else time_ms(step)

    def memory_mib(self, share: float) -> float | None:
        """To within a tenth."""
        step = self.step(share)
        return None if step is None else memory_mib(step)

    def __add__(self, other: Spread) -> Spread:
        return Spread(tuple(a + b for a, b in zip(self.counts, other.counts, strict=True)))


@dataclass(frozen=True, slots=True)
class TestFigures:
    """How programs fare on one test, in all versions that have it.

    stopped          programs of which it is the first test that they fail
    times, memories  of programs that pass all tests
    """

    __test__ = False

    name: str
    labels: str
    runs: int
    passed: int
    stopped: int
    times: Spread
    memories: Spread

    @property
    def pass_rate(self) -> float:
        return self.passed / self.runs if self.runs else 0.0


@dataclass(frozen=True, slots=True)
class ProblemFigures:
    """How programs fare on one problem; `times` and `memories` are of the slowest and largest test
    of each accepted program.

    learners, solved_by   accounts and guests that tried it, and those of them that have solved it
    """

    problem: str
    verdicts: Mapping[Verdict, int]
    learners: int = 0
    solved_by: int = 0
    diagnoses: tuple[tuple[str, int], ...] = ()
    tests: tuple[TestFigures, ...] = ()
    times: Spread = field(default_factory=Spread)
    memories: Spread = field(default_factory=Spread)

    @property
    def attempts(self) -> int:
        """Judging errors are ours, and no attempts."""
        return sum(self.verdicts.values()) - self.verdicts.get("JE", 0)

    @property
    def accepted(self) -> int:
        return self.verdicts.get("AC", 0)


class Statistics:
    """Questions about how programs fare."""

    _database: Database

    async def figures(self, days: int = 0) -> tuple[ProblemFigures, ...]:
        """Attempts by verdict, for each problem that was tried in the last so many days; 0: ever."""
        since_ms = _since_ms(days)
        async with self._database.counting() as transaction:
            rows = await transaction.rows(_OVERVIEW, since_ms=since_ms)
        async with self._database.counting() as transaction:
            people = await transaction.rows(_LEARNERS, since_ms=since_ms)
        found: dict[str, dict[Verdict, int]] = {}
        for row in rows:
            found.setdefault(row.problem, {})[row.verdict] = row.many
        learners = {row.problem: (row.tried, row.solved) for row in people}
        return tuple(
            ProblemFigures(problem, found[problem], *learners.get(problem, (0, 0)))
            for problem in sorted(found)
        )

    async def problem_figures(self, problem: str, days: int = 0) -> ProblemFigures:
        """One problem, test by test, from what was sent in the last so many days; 0: ever.

        Tests come in the order of the newest version.
        """
        about = {"problem": problem, "since_ms": _since_ms(days)}
        async with self._database.counting() as transaction:
            causes = await transaction.rows(_CAUSES, **about)
        async with self._database.counting() as transaction:
            people = await transaction.rows(_LEARNERS_OF_ONE, **about)
        async with self._database.counting() as transaction:
            rows = await transaction.rows(_TESTS, **about)
        async with self._database.reading() as transaction:
            lists = await transaction.rows(_LISTS, problem=problem)
        return await asyncio.to_thread(_counted_up, problem, causes, people, rows, lists)


def _counted_up(
    problem: str,
    causes: Sequence[AnyRow],
    people: Sequence[AnyRow],
    rows: Sequence[AnyRow],
    lists: Sequence[AnyRow],
) -> ProblemFigures:
    """In a thread: a matrix of all runs is gone through."""
    verdicts: Counter[Verdict] = Counter()
    diagnoses: Counter[str] = Counter()
    for row in causes:
        verdicts[row.verdict] += row.many
        if row.cause and row.verdict != "JE":
            diagnoses[row.cause] += row.many
    named = {row.package_version: json.loads(row.tests_json) for row in lists}
    count = _Count()
    for row in sorted(rows, key=lambda row: -row.newest):
        count.add(row, named.get(row.package_version, []))
    tests = tuple(one.figures() for one in count.tests.values())
    return ProblemFigures(
        problem,
        verdicts,
        sum(row.tried for row in people),
        sum(row.solved for row in people),
        tuple(diagnoses.most_common()),
        tests,
        count.times,
        count.memories,
    )


def _since_ms(days: int) -> int:
    return now_ms() - days * _DAY_MS if days else 0


@dataclass(slots=True)
class _TestCount:
    """One test, counted so far."""

    name: str
    labels: str
    runs: int = 0
    passed: int = 0
    stopped: int = 0
    times: Spread = field(default_factory=Spread)
    memories: Spread = field(default_factory=Spread)

    def figures(self) -> TestFigures:
        return TestFigures(
            self.name,
            self.labels,
            self.runs,
            self.passed,
            self.stopped,
            self.times,
            self.memories,
        )


@dataclass(slots=True)
class _Count:
    """Everything counted so far; versions come newest first."""

    tests: dict[str, _TestCount] = field(default_factory=dict)
    times: Spread = field(default_factory=Spread)
    memories: Spread = field(default_factory=Spread)

    def add(self, row: AnyRow, listed: list[tuple[str, str]]) -> None:
        """The judgements of one version with one verdict."""
        accepted = row.verdict == "AC"
        if not listed or not row.verdicts or len(row.verdicts) % len(listed):
            return  # judged before tests were counted
        passed = columns(row.verdicts, len(listed)) == _PASSED
        # Where a program failed; a column of its own for those that failed nowhere.
        first = np.where(passed.all(axis=1), len(listed), np.argmin(passed, axis=1))
        stopped = np.bincount(first, minlength=len(listed) + 1)
        times, memories = columns(row.times, len(listed)), columns(row.memories, len(listed))
        if accepted:
            self.times += _spread(times.max(axis=1))
            self.memories += _spread(memories.max(axis=1))
        for index, (name, labels) in enumerate(listed):
            one = self.tests.setdefault(name, _TestCount(name, labels))
            one.runs += len(passed)
            one.passed += int(passed[:, index].sum())
            one.stopped += int(stopped[index])
            if accepted:
                one.times += _spread(times[:, index])
                one.memories += _spread(memories[:, index])


def _spread(steps: NDArray[np.uint8]) -> Spread:
    return Spread(tuple(int(count) for count in counted(steps)))
