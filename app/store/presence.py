"""How many people have a problem's page open. Kept for a minute or two, and of no other use."""

from __future__ import annotations

import hashlib

from sqlalchemy import bindparam, delete, func, select, update

from app.store.database import Database
from app.store.schema import presence
from app.store.submissions import now_ms

OPEN_S = 90.0  # a page that was not heard of for so long is closed

_P = presence.c
_SEEN = (
    update(presence)
    .where(_P.problem == bindparam("about"), _P.visitor == bindparam("who"))
    .values(seen_ms=bindparam("at_ms"))
)
_COUNT = select(func.count()).where(
    _P.problem == bindparam("about"), _P.seen_ms >= bindparam("since_ms")
)
_LEFT = delete(presence).where(_P.problem == bindparam("about"), _P.visitor == bindparam("who"))
_CLOSED = delete(presence).where(_P.seen_ms < bindparam("since_ms"))


class Presence:
    """Questions about who is there: only ever answered by a number."""

    _database: Database

    async def seen(self, problem: str, owner: str) -> int:
        """This person has the page open now, in however many tabs; returns how many people have."""
        at_ms = now_ms()
        who, since_ms = _visitor(problem, owner), at_ms - int(OPEN_S * 1000)
        async with self._database.writing(repeatable=True) as transaction:
            if not await transaction.change(_SEEN, about=problem, who=who, at_ms=at_ms):
                fresh = self._database.insert_new(presence)
                await transaction.change(fresh.values(problem=problem, visitor=who, seen_ms=at_ms))
            await transaction.change(_CLOSED, since_ms=since_ms)
            row = await transaction.row(_COUNT, about=problem, since_ms=since_ms)
        assert row is not None
        return int(row[0])

    async def left(self, problem: str, owner: str) -> None:
        """This person has closed the page; another tab will say so if it is still open there."""
        async with self._database.writing(repeatable=True) as transaction:
            await transaction.change(_LEFT, about=problem, who=_visitor(problem, owner))

    async def present(self, problem: str) -> int:
        """How many people have the page open."""
        since_ms = now_ms() - int(OPEN_S * 1000)
        async with self._database.reading() as transaction:
            row = await transaction.row(_COUNT, about=problem, since_ms=since_ms)
        assert row is not None
        return int(row[0])


def _visitor(problem: str, owner: str) -> str:
    """One person is another on every page: rows of two problems cannot be brought together."""
    return hashlib.sha256(f"{problem}\0{owner}".encode()).hexdigest()[:32]
