"""What one person has done: attempts, what is solved, on which days."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import and_, bindparam, func, or_, select

from app.store.database import Database
from app.store.judgements import read_back
from app.store.schema import judgements, solved, submissions
from app.store.submissions import SHOWN, Standing, now_ms, submission_of

DAY_MS = 86_400_000

_S, _V = submissions.c, solved.c
_OWN = and_(_S.owner == bindparam("of"), ~_S.trial)
_ATTEMPTS = (
    select(submissions, judgements.c.body_json)
    .join_from(submissions, judgements, SHOWN, isouter=True)
    .where(
        _OWN,
        or_(bindparam("about") == "", _S.problem == bindparam("about")),
        or_(bindparam("before") == 0, _S.number < bindparam("before")),
    )
    .order_by(_S.number.desc())
    .limit(bindparam("limit"))
)
_TRIED = (
    select(_S.problem, func.count().label("attempts"), func.max(_S.created_ms).label("last_ms"))
    .where(_OWN)
    .group_by(_S.problem)
)
_SOLVED = select(solved).where(_V.owner == bindparam("of"))
_SOLVED_ONE = _SOLVED.where(_V.problem == bindparam("about"))
_DAY = (_S.created_ms // DAY_MS).label("day")
_DAYS = (
    select(_DAY, func.count().label("attempts"))
    .where(_OWN, _S.created_ms >= bindparam("since_ms"))
    .group_by(_DAY)
)


@dataclass(frozen=True, slots=True)
class Attempts:
    """One page of a person's submissions, newest first; `before` continues it, 0: that is all."""

    standings: tuple[Standing, ...]
    before: int


@dataclass(frozen=True, slots=True)
class Tried:
    """How often a problem was submitted to, and when last."""

    attempts: int
    last_ms: int


@dataclass(frozen=True, slots=True)
class Solved:
    """A mark that stays.

    package_version      the newest version on which it was solved
    time_ms, memory_kib  the best on that version: of the slowest and of the largest test
    """

    solved_ms: int
    package_version: str
    time_ms: float
    memory_kib: int
    bonus: int


class Progress:
    """Questions about what one person has done. Trials are no part of it."""

    _database: Database

    async def attempts(
        self, owner: str, problem: str = "", before: int = 0, limit: int = 20
    ) -> Attempts:
        """Own submissions, newest first: of one problem or of all; `before`: where a page ended."""
        async with self._database.reading() as transaction:
            rows = await transaction.rows(
                _ATTEMPTS, of=owner, about=problem, before=before, limit=limit + 1
            )
        standings = tuple(
            Standing(
                submission_of(row),
                None if row.body_json is None else read_back(row.body_json),
                row.created_ms,
            )
            for row in rows[:limit]
        )
        return Attempts(standings, rows[limit - 1].number if len(rows) > limit else 0)

    async def tried(self, owner: str) -> dict[str, Tried]:
        """By problem."""
        async with self._database.reading() as transaction:
            rows = await transaction.rows(_TRIED, of=owner)
        return {row.problem: Tried(row.attempts, row.last_ms) for row in rows}

    async def solved(self, owner: str) -> dict[str, Solved]:
        """By problem."""
        async with self._database.reading() as transaction:
            rows = await transaction.rows(_SOLVED, of=owner)
        return {
            row.problem: Solved(
                row.solved_ms, row.package_version, row.time_ms, row.memory_kib, row.bonus
            )
            for row in rows
        }

    async def active_days(self, owner: str, days: int) -> dict[int, int]:
        """Submissions a day, for the last `days` days; days are counted from 1970, in UTC."""
        since_ms = (now_ms() // DAY_MS - days + 1) * DAY_MS
        async with self._database.reading() as transaction:
            rows = await transaction.rows(_DAYS, of=owner, since_ms=since_ms)
        return {int(row.day): row.attempts for row in rows}
