"""What waits for a judgement: how much, of whom, since when."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import bindparam, case, func, select

from app.store.database import Database
from app.store.schema import submissions
from app.store.submissions import UNJUDGED, now_ms

_S = submissions.c
_WAITING = (
    select(
        func.count(),
        func.sum(case((_S.account == bindparam("account"), 1), else_=0)),
        func.sum(case((_S.trial, 1), else_=0)),
    )
    .select_from(submissions)
    .where(UNJUDGED, _S.rejudge.is_(None))
)
_UNJUDGED_ALL = (
    select(_S.id, _S.account, _S.trial, _S.created_ms, _S.rejudge)
    .where(UNJUDGED)
    .order_by(_S.number)
    .limit(bindparam("limit"))
)
_UNJUDGED_NEW = _UNJUDGED_ALL.where(_S.rejudge.is_(None))
_UNJUDGED_AGAIN = (
    _UNJUDGED_ALL.where(_S.rejudge.is_not(None))
    .order_by(None)
    .order_by(_S.rejudge, _S.number)  # the order of their index
)
_WAITING_BY_KIND = (
    select(_S.trial, func.count(), func.min(_S.created_ms))
    .where(UNJUDGED, _S.rejudge.is_(None))
    .group_by(_S.trial)
)


@dataclass(frozen=True, slots=True)
class Unjudged:
    """A submission that still needs a job."""

    id: str
    account: str
    trial: bool
    created_ms: int
    rejudge: bool


@dataclass(frozen=True, slots=True)
class Waiting:
    """How many submissions are unjudged: of everybody, of one account, and how many are trials.

    Those of a rejudge do not count.
    """

    all: int
    own: int
    trials: int


@dataclass(frozen=True, slots=True)
class Backlog:
    """What is unjudged now, and how old the oldest of it is."""

    submissions: int = 0
    oldest_submission_s: float = 0.0
    trials: int = 0
    oldest_trial_s: float = 0.0


class WhatWaits:
    """Questions about what is unjudged."""

    _database: Database

    async def waiting(self, account: str) -> Waiting:
        """How much is unjudged now."""
        async with self._database.reading() as transaction:
            row = await transaction.row(_WAITING, account=account)
        assert row is not None
        everybody, own, trials = row
        return Waiting(everybody, own or 0, trials or 0)

    async def backlog(self) -> Backlog:
        """How much is unjudged now, of each kind, and since when."""
        async with self._database.reading() as transaction:
            rows = await transaction.rows(_WAITING_BY_KIND)
        found = {bool(row[0]): (row[1], max(0.0, (now_ms() - row[2]) / 1000)) for row in rows}
        return Backlog(*found.get(False, (0, 0.0)), *found.get(True, (0, 0.0)))

    async def unjudged_submissions(self, limit: int) -> tuple[Unjudged, ...]:
        """The oldest submissions that want a judgement, whether or not they have a job.

        Rejudges come last, so that however many there are, they keep nobody from getting a job.
        """
        async with self._database.reading() as transaction:
            rows = list(await transaction.rows(_UNJUDGED_NEW, limit=limit))
        if len(rows) < limit:
            async with self._database.reading() as transaction:
                rows += await transaction.rows(_UNJUDGED_AGAIN, limit=limit - len(rows))
        return tuple(
            Unjudged(row.id, row.account, row.trial, row.created_ms, row.rejudge is not None)
            for row in rows
        )
