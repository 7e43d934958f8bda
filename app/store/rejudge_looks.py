"""What came out of a rejudge: how far it is, who would change, and which tests say so."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy import Select, and_, bindparam, case, func, or_, select

from app.errors import NotFound
from app.model import Verdict
from app.store.database import AnyRow, Database
from app.store.rejudges import Selection
from app.store.results import VERDICTS
from app.store.schema import judgements, rejudged, rejudges, results, submissions, test_lists, users

_R, _C = rejudged.c, rejudges.c
_B, _A = judgements.alias("before"), judgements.alias("after")
_WAS, _BECAME = results.alias("was"), results.alias("became")
_THIS = _R.rejudge == bindparam("rejudge")
_OF_BEFORE = and_(_B.c.submission == _R.submission, _B.c.judging_number == _R.before_number)
_OF_AFTER = and_(_A.c.submission == _R.submission, _A.c.judging_number == _R.judging_number)
_DIFFERS = or_(_R.old_verdict != _R.new_verdict, _R.old_score != _R.new_score)

_PROGRESS = (
    select(
        rejudges,
        func.count(_R.submission).label("total"),
        func.count(_R.new_verdict).label("judged"),
        func.sum(case((_DIFFERS, 1), else_=0)).label("changed"),
    )
    .join_from(rejudges, rejudged, _R.rejudge == _C.number)
    .group_by(_C.number)
    .order_by(_C.number.desc())
)
_MOVES = (
    select(
        _R.old_verdict.label("before"), _R.new_verdict.label("after"), func.count().label("many")
    )
    .where(_THIS, _R.new_verdict.is_not(None))
    .group_by(_R.old_verdict, _R.new_verdict)
)
_PAIRS = (
    select(rejudged)
    .join(_B, _OF_BEFORE)
    .join(_A, _OF_AFTER)
    .join(_WAS, _WAS.c.judgement == _B.c.number)
    .join(_BECAME, _BECAME.c.judgement == _A.c.number)
    .where(_THIS)
)
_TESTS = (
    _WAS.c.problem,
    _WAS.c.package_version.label("old_version"),
    _BECAME.c.package_version.label("new_version"),
    _WAS.c.verdicts.label("old_tests"),
    _BECAME.c.verdicts.label("new_tests"),
)
_CHANGES = (
    _PAIRS.join(submissions, submissions.c.number == _R.submission)
    .with_only_columns(
        submissions.c.id,
        submissions.c.owner,
        submissions.c.created_ms,
        _R.submission,
        _R.old_verdict,
        _R.new_verdict,
        _R.old_score,
        _R.new_score,
        *_TESTS,
    )
    .where(_DIFFERS, _R.submission > bindparam("after"))
    .order_by(_R.submission)
    .limit(bindparam("limit"))
)
_FLIPS = (
    _PAIRS.with_only_columns(*_TESTS, func.count().label("many"))
    .where(_R.old_verdict != "JE", _R.new_verdict != "JE")
    .group_by(
        _WAS.c.problem,
        _WAS.c.package_version,
        _BECAME.c.package_version,
        _WAS.c.verdicts,
        _BECAME.c.verdicts,
    )
)
_LISTS = select(test_lists).where(test_lists.c.problem.in_(bindparam("problems", expanding=True)))

Names = Mapping[tuple[str, str], tuple[str, ...]]  # (problem, version) -> tests in file order


@dataclass(frozen=True, slots=True)
class Rejudge:
    """A rejudge and how far it is."""

    number: int
    state: str  # open, released, discarded
    selection: Selection
    who: str
    created_ms: int
    ended_ms: int | None
    total: int
    judged: int
    changed: int

    @property
    def finished(self) -> bool:
        return self.judged == self.total


@dataclass(frozen=True, slots=True)
class Move:
    """How many submissions had one verdict and now would have another, or the same."""

    before: Verdict
    after: Verdict
    count: int


@dataclass(frozen=True, slots=True)
class TestFlip:
    """How many submissions a test turns: from passed to failed, and from failed to passed.

    A test that only one of the two versions has turns those that failed it to failed, or had failed
    it to passed.
    """

    __test__ = False

    problem: str
    test: str
    new: bool
    gone: bool
    to_failed: int
    to_passed: int


@dataclass(frozen=True, slots=True)
class Flip:
    """What became of one test of one submission; None where the version has no such test."""

    test: str
    before: Verdict | None
    after: Verdict | None


@dataclass(frozen=True, slots=True)
class Change:
    """A submission that would change, and why."""

    key: int  # of its row, to ask for those that follow
    id: str
    problem: str
    owner: str | None
    name: str | None  # of the owner, where that is an account
    created_ms: int
    old_verdict: Verdict
    new_verdict: Verdict
    old_score: float
    new_score: float
    old_version: str
    new_version: str
    flips: tuple[Flip, ...]


class RejudgeLooks:
    """Questions about what a rejudge found."""

    _database: Database

    async def rejudges(self, limit: int) -> tuple[Rejudge, ...]:
        """The newest rejudges, the newest first."""
        return await self._rejudges(_PROGRESS.limit(limit))

    async def rejudge(self, number: int) -> Rejudge:
        """One rejudge. Raises NotFound."""
        found = await self._rejudges(_PROGRESS.where(_C.number == number))
        if not found:
            raise NotFound(f"there is no rejudge {number}")
        return found[0]

    async def rejudge_moves(self, number: int) -> tuple[Move, ...]:
        """Verdicts before and after, of what is judged so far."""
        async with self._database.counting() as transaction:
            rows = await transaction.rows(_MOVES, rejudge=number)
        return tuple(Move(row.before, row.after, row.many) for row in rows)

    async def rejudge_flips(self, number: int) -> tuple[TestFlip, ...]:
        """Which tests turn how many submissions, the most first."""
        async with self._database.counting() as transaction:
            rows = await transaction.rows(_FLIPS, rejudge=number)
        names = await self._names({row.problem for row in rows})
        failed: Counter[tuple[str, str]] = Counter()
        passed: Counter[tuple[str, str]] = Counter()
        new: set[tuple[str, str]] = set()
        gone: set[tuple[str, str]] = set()
        for row in rows:
            for flip in _flips(row, names):
                place = (row.problem, flip.test)
                if flip.before is None:
                    new.add(place)
                if flip.after is None:
                    gone.add(place)
                if flip.before != "AC" and flip.after in ("AC", None):
                    passed[place] += row.many if flip.before else 0
                elif flip.after is not None and flip.after != "AC":
                    failed[place] += row.many
        turned = [
            TestFlip(problem, test, (problem, test) in new, (problem, test) in gone, f, p)
            for problem, test in failed.keys() | passed.keys()
            if (f := failed[problem, test]) + (p := passed[problem, test])
        ]
        return tuple(sorted(turned, key=lambda t: (-t.to_failed - t.to_passed, t.problem, t.test)))

    async def rejudge_changes(self, number: int, limit: int, after: int = 0) -> tuple[Change, ...]:
        """Submissions whose verdict or score would change, the oldest first, beyond `after`."""
        async with self._database.counting() as transaction:
            rows = await transaction.rows(_CHANGES, rejudge=number, limit=limit, after=after)
        names = await self._names({row.problem for row in rows})
        people = await self._people({row.owner for row in rows})
        return tuple(_change(row, names, people.get(row.owner)) for row in rows)

    async def _rejudges(self, question: Select[tuple[object, ...]]) -> tuple[Rejudge, ...]:
        async with self._database.counting() as transaction:
            rows = await transaction.rows(question)
        return tuple(map(_rejudge, rows))

    async def _names(self, problems: Iterable[str]) -> Names:
        async with self._database.reading() as transaction:
            rows = await transaction.rows(_LISTS, problems=sorted(problems))
        return {
            (row.problem, row.package_version): tuple(
                name for name, _labels in json.loads(row.tests_json)
            )
            for row in rows
        }

    async def _people(self, owners: Iterable[str | None]) -> Mapping[str, str]:
        """Names of the owners that are accounts."""
        numbers = [
            int(owner.removeprefix("user:"))
            for owner in owners
            if owner is not None and owner.startswith("user:")
        ]
        question = select(users.c.number, users.c.name).where(users.c.number.in_(numbers))
        async with self._database.reading() as transaction:
            rows = await transaction.rows(question)
        return {f"user:{row.number}": row.name for row in rows}


def _rejudge(row: AnyRow) -> Rejudge:
    given = json.loads(row.selection_json)
    selection = Selection(**given | {"verdicts": tuple(given["verdicts"])})
    return Rejudge(
        row.number,
        row.state,
        selection,
        row.who,
        row.created_ms,
        row.ended_ms,
        row.total,
        row.judged,
        row.changed,
    )


def _change(row: AnyRow, names: Names, name: str | None) -> Change:
    return Change(
        key=row.submission,
        id=row.id,
        problem=row.problem,
        owner=row.owner,
        name=name,
        created_ms=row.created_ms,
        old_verdict=row.old_verdict,
        new_verdict=row.new_verdict,
        old_score=row.old_score,
        new_score=row.new_score,
        old_version=row.old_version,
        new_version=row.new_version,
        flips=_flips(row, names),
    )


def _flips(row: AnyRow, names: Names) -> tuple[Flip, ...]:
    """Tests with another verdict than before, those that came or went among them."""
    before = _by_name(row.old_tests, names.get((row.problem, row.old_version), ()))
    after = _by_name(row.new_tests, names.get((row.problem, row.new_version), ()))
    return tuple(
        Flip(test, before.get(test), after.get(test))
        for test in dict.fromkeys([*before, *after])
        if before.get(test) != after.get(test)
    )


def _by_name(letters: str, names: tuple[str, ...]) -> dict[str, Verdict]:
    return {name: VERDICTS[letter] for name, letter in zip(names, letters, strict=False)}
