"""Who comes when in the queue, for those who wait."""

from __future__ import annotations

from sqlalchemy import func, select

from app.store.database import AnyRow, Database
from app.store.schema import submissions
from app.store.submissions import UNJUDGED

_S = submissions.c
_WAITING = select(
    _S.id,
    _S.number,
    _S.trial,
    _S.created_ms,
    (_S.judging_number > 1).label("rejudge"),
    func.row_number().over(partition_by=_S.account, order_by=_S.number).label("own_place"),
).where(UNJUDGED, _S.rejudge.is_(None))


class Places:
    """Questions about the order of the queue."""

    _database: Database

    async def queue_places(self) -> dict[str, int]:
        """The place of each unjudged submission, from 1: those in judging count as well.

        As the queue goes, nearly: by arrival, each later for what its account has ahead of it; trials
        before, rejudges after the rest.
        """
        async with self._database.reading() as transaction:
            rows = await transaction.rows(_WAITING)
        order = sorted(rows, key=_turn)
        return {row.id: place for place, row in enumerate(order, start=1)}


def _turn(row: AnyRow) -> tuple[bool, bool, int, int]:
    return row.rejudge, not row.trial, row.created_ms + 1000 * row.own_place, row.number
