"""Who comes when in the queue, for those who wait."""

from __future__ import annotations

from sqlalchemy import func, select

from app.store.database import Database
from app.store.schema import submissions
from app.store.submissions import UNJUDGED

_S = submissions.c
_WAITING = select(
    _S.id,
    _S.number,
    _S.trial,
    func.row_number().over(partition_by=_S.account, order_by=_S.number).label("own_place"),
).where(UNJUDGED)


class Places:
    """Questions about the order of the queue."""

    _database: Database

    async def queue_places(self) -> dict[str, int]:
        """The place of each unjudged submission, from 1: those in judging count as well.

        As the queue goes: trials first, then whoever has the fewest ahead of their own.
        """
        async with self._database.reading() as transaction:
            rows = await transaction.rows(_WAITING)
        order = sorted(rows, key=lambda row: (not row.trial, row.own_place, row.number))
        return {row.id: place for place, row in enumerate(order, start=1)}
